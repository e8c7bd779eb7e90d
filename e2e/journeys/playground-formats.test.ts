import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, setOption } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';

/** The playground can use every caller's format, and shows the raw request and reply. */

const CHAT = 'gpt-4o-mini';

let simulator: RunningSimulator;
let site: ConsoleSite;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 100 });
  site = await startConsole();
  const { operator } = site;
  page = site.page;
  await setOption(operator, 'ModelRatio', { [CHAT]: 0.075 });
  await makeChannel(operator, { name: 'simulator', baseUrl: simulator.url, models: [CHAT] });
  await page.goto('/playground');
});

afterAll(async () => {
  await site.stop();
  await simulator.stop();
});

test.each([
  ['OpenAI Responses', '/pg/responses', 'response.output_text.delta'],
  ['Anthropic Messages', '/pg/messages', 'content_block_delta'],
  ['Gemini', '/pg/models/gpt-4o-mini:streamGenerateContent?alt=sse', '"candidates"'],
  ['OpenAI Chat Completions', '/pg/chat/completions', 'data: [DONE]'],
])(
  'an answer is asked for in the format of %s, and shown as it went over the wire',
  async (name, path, mark) => {
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name, exact: true }).click();
    const replies = await page.locator('.reply[data-status=complete]').count();
    const composer = page.getByRole('textbox', { name: 'Message', exact: true });
    await composer.fill('Plan a trip');
    await composer.press('Enter');
    await page.locator('.reply[data-status=complete]').nth(replies).waitFor();
    const lastReply = page.locator('.reply').last();
    await expect.poll(() => lastReply.textContent()).toContain('weekend in three steps');
    await expect.poll(() => lastReply.locator('.reply-meter').textContent()).toMatch(/tok\/s/);
    // By keyboard, because the growing text moves the button away from the pointer.
    await lastReply.getByRole('button', { name: 'Show request and events' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'What went over the wire' });
    const request = dialog.getByRole('region', { name: 'Request' });
    await expect.poll(() => request.textContent()).toContain(`POST ${path}`);
    await expect.poll(() => request.textContent()).toContain('Plan a trip');
    const events = dialog.getByRole('region', { name: 'Events' });
    await expect.poll(() => events.textContent()).toContain('HTTP 200');
    await expect.poll(() => events.textContent()).toContain(mark);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  },
);

test('extra parameters are sent with the call, and anything but an object prevents sending', async () => {
  const extra = page.getByRole('textbox', { name: 'Extra parameters' });
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  await composer.fill('Plan a trip');
  await extra.fill('[1]');
  await page.getByText('Extra parameters must be a JSON object').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  await extra.fill('{"seed": 7}');
  const asked = page.waitForRequest('**/pg/chat/completions');
  await composer.press('Enter');
  expect((await asked).postDataJSON()).toMatchObject({ seed: 7, stream: true });
  await extra.fill('');
});

test('the events of a reply are shown while they arrive', async () => {
  await page.locator('.reply[data-status=complete]').last().waitFor();
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  await composer.fill('Plan another trip');
  await composer.press('Enter');
  await page.locator('.composer').getByRole('button', { name: 'Show request and events' }).click();
  const events = page
    .getByRole('dialog', { name: 'What went over the wire' })
    .getByRole('region', { name: 'Events' });
  await expect.poll(() => events.textContent()).toContain('data: [DONE]');
  await page.keyboard.press('Escape');
});

test('the page reported no errors in any of these tests', () => {
  expect(site.visit.problems).toEqual([]);
});
