import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import type { Operator } from '../support/operator.ts';

/** Rules of a channel in a real browser: written as a form, seen in the request that would go out, and in who would get it. */

let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  site = await startConsole({ language: 'en' });
  ({ operator, page } = site);
  await operator.call('/api/channel', {
    method: 'POST',
    body: {
      type: 1,
      name: 'ruled',
      key: 'sk-upstream-secret-of-rules',
      models: 'gpt-4o',
      base_url: 'https://api.openai.com',
    },
  });
});

afterAll(() => site.stop());

const channels = z.object({ items: z.array(z.object({ id: z.number(), setting: z.string() })) });
const savedChannel = async () => channels.parse(await operator.call('/api/channel')).items[0];

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true }).first();

test('a rule is added, its request is seen, and it is saved', async () => {
  await page.goto(`/channel?edit=${String((await savedChannel())?.id)}`);
  await page.getByRole('button', { name: /^Advanced/ }).click();
  await page.getByRole('button', { name: /^Override rules/ }).click();
  await button('Add rule').click();
  await field('Path').fill('provider.sort');
  await field('Value').fill('price');
  await page.getByRole('button', { name: /^Preview request/ }).click();
  await button('Show').click();
  const shown = page.getByLabel('What would go out');
  await shown.getByText('"sort": "price"').waitFor();
  const text = await shown.innerText();
  expect(text).toContain('POST https://api.openai.com/v1/chat/completions');
  expect(text).toContain('authorization: ***');
  expect(text).not.toContain('secret');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('Save').click();
  await expect
    .poll(async () => JSON.parse((await savedChannel())?.setting || '{}') as unknown)
    .toEqual({ overrides: [{ op: 'set', path: 'provider.sort', value: 'price' }] });
});

test('a call is explained, on a phone too', async () => {
  await page.goto('/channel');
  await button('More actions').click();
  await page.getByRole('menuitem', { name: 'Explain a call' }).click();
  await field('Model').fill('gpt-4o');
  await button('Explain').click();
  const table = page.getByRole('table', { name: 'Explain a call' });
  await table.getByText('100 %').waitFor();
  expect(await table.innerText()).toContain('ruled');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await table.getByText('100 %').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});
