import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { makeChannel, makeToken, type Operator, setOption } from '../support/operator.ts';

/** Override rules of a channel in a real browser: the form, a preview of the request, and the explanation of a call. */

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

test('a rule is added, the resulting request is shown, and the rule is saved', async () => {
  await page.goto(`/channel?edit=${String((await savedChannel())?.id)}`);
  await page.getByRole('button', { name: /^Advanced/ }).click();
  await page.getByRole('button', { name: /^Override rules/ }).click();
  await button('Add rule').click();
  await field('Path').fill('provider.sort');
  await field('Value').pressSequentially('1.05');
  await expect.poll(() => field('Value').inputValue()).toBe('1.05');
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

test('a rule for bodies names the realtime models of the channel, which have no body', async () => {
  const note = page.getByText(
    'Realtime conversations have no body, so what changes bodies does nothing for: gpt-realtime',
  );
  const open = async (models: string): Promise<void> => {
    const body = { id: (await savedChannel())?.id, models };
    await operator.call('/api/channel', { method: 'PUT', body });
    await page.goto(`/channel?edit=${String((await savedChannel())?.id)}`);
    await page.getByRole('button', { name: /^Advanced/ }).click();
    await page.getByRole('button', { name: /^Override rules/ }).click();
  };
  await open('gpt-4o,gpt-realtime');
  await note.waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await open('gpt-4o');
  await button('Add rule').waitFor();
  expect(await note.count()).toBe(0);
});

test('limits are set as numbers, shown again, and emptied', async () => {
  const open = async (): Promise<void> => {
    await page.goto(`/channel?edit=${String((await savedChannel())?.id)}`);
    await page.getByRole('button', { name: /^Limits/ }).click();
  };
  const number = (name: string): Locator => page.getByRole('spinbutton', { name, exact: true });
  const saved = async (): Promise<unknown> =>
    (JSON.parse((await savedChannel())?.setting || '{}') as { capacity?: unknown }).capacity;
  await open();
  await number('Calls per minute').fill('5000000');
  await page.getByText('A number from 1 to 1,000,000, or empty').waitFor();
  await number('Calls per minute').fill('500');
  await number('Length of the queue').fill('20');
  await number('Longest wait, seconds').pressSequentially('0.5');
  expect(await accessibilityProblems(page)).toEqual([]);
  await button('Save').click();
  await expect.poll(saved).toEqual({ calls_per_minute: 500, queue_calls: 20, queue_wait_ms: 500 });
  await open();
  await expect.poll(() => number('Longest wait, seconds').inputValue()).toBe('0.5');
  for (const name of ['Calls per minute', 'Length of the queue', 'Longest wait, seconds'])
    await number(name).fill('');
  await button('Save').click();
  await expect.poll(saved).toBeUndefined();
});

test('a call is explained, on a phone too', async () => {
  await page.goto('/channel');
  await button('More actions').click();
  await page.getByRole('menuitem', { name: 'Explain a call' }).click();
  const dialog = page.getByRole('dialog', { name: 'Explain a call' });
  await dialog.getByRole('combobox', { name: 'Model', exact: true }).fill('gpt-4o');
  // An empty field is not sent, and does not mean 0 tokens.
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/channel/explain'));
  await page.keyboard.press('Enter');
  const said = (await asked).postDataJSON() as object;
  expect(Object.keys(said)).not.toContain('prompt_tokens');
  expect(Object.keys(said)).not.toContain('output_tokens');
  const table = page.getByRole('table', { name: 'Explain a call' });
  await table.getByText('100%').waitFor();
  await expect.poll(() => table.innerText()).toContain('ruled');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('list', { name: 'Explain a call' }).getByText('100%').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('the explanation takes a session by its client’s header and shows its channel; an unknown session is bound to none', async () => {
  const simulator = await startSimulator();
  try {
    await setOption(operator, 'ModelRatio', { 'gpt-4o-mini': 1 });
    for (const name of ['left', 'right'])
      await makeChannel(operator, { name, baseUrl: simulator.url, models: ['gpt-4o-mini'] });
    const { key } = await makeToken(operator);
    const response = await fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
        prompt_cache_key: 'thread-7',
        messages: [{ role: 'user', content: 'hi' }],
      }),
    });
    await response.text();
    expect(response.status).toBe(200);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/channel?explain=call&of=gpt-4o-mini');
    const dialog = page.getByRole('dialog', { name: 'Explain a call' });
    await dialog.getByRole('textbox', { name: 'Session name' }).fill('thread-7');
    await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
    const stays = dialog.getByText(/^Session \(prompt_cache_key\): stays at #\d+ (left|right),/);
    await stays.waitFor();
    const bound = /#\d+ (?:left|right)/.exec(await stays.innerText())?.[0] ?? '';
    await dialog.getByRole('row').filter({ hasText: bound }).getByText('100%').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Session name' }).fill('thread-8');
    await dialog.getByRole('button', { name: 'Explain', exact: true }).click();
    await dialog.getByText('not bound to a channel').waitFor();
    expect(await stays.count()).toBe(0);
  } finally {
    await simulator.stop();
  }
});
