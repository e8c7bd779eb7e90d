import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator, type RunningSimulator } from '../../src/simulator/start.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { balanceOf, makeChannel, type Operator, setOption } from '../support/operator.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { savedItems } from '../support/saved-items.ts';
import { startGatedUpstream } from '../support/upstreams/gated-upstream.ts';

/** The playground in a real browser, against the real server and a fake upstream at a model's pace. */

const CHAT = 'gpt-4o-mini';
const BROKEN = 'fault-status-500';
/** A model that begins its answer and never ends it, and one that waits until the test lets it go on. */
const ENDLESS = 'fault-hang-mid-stream';
const GATED = 'gated';
let simulator: RunningSimulator;
let gated: Awaited<ReturnType<typeof startGatedUpstream>>;
let site: ConsoleSite;
let operator: Operator;
let page: Page;

beforeAll(async () => {
  simulator = await startSimulator({ speed: 200 });
  gated = await startGatedUpstream();
  site = await startConsole();
  ({ operator, page } = site);
  await setOption(operator, 'ModelRatio', { [CHAT]: 0.075, [BROKEN]: 1, [ENDLESS]: 1, [GATED]: 0.075 });
  await setOption(operator, 'CompletionRatio', { [CHAT]: 4, [GATED]: 4 });
  await makeChannel(operator, { name: 'gated', baseUrl: gated.url, models: [GATED] });
  await makeChannel(operator, { name: 'simulator', baseUrl: simulator.url, models: [CHAT, BROKEN, ENDLESS] });
});

afterAll(async () => {
  await site.stop();
  await Promise.all([simulator.stop(), gated.stop()]);
});

/** Starts every test with an empty conversation, from a page that cannot save the old one again. */
beforeEach(async () => {
  await page.goto('/theme.js');
  await page.evaluate(async () => {
    for (const key of ['playground_config:1', 'playground_talk:1']) localStorage.removeItem(key);
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('playground').onsuccess = resolve;
    });
  });
  await page.goto('/playground');
  await composer().waitFor();
});

const composer = (): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
const lastReply = (): Locator => page.locator('.reply').last();
const ask = async (text: string): Promise<void> => {
  await composer().fill(text);
  await composer().press('Enter');
  await expect.poll(() => composer().inputValue()).toBe('');
};

/** Waits until the last reply is so, by default that it has ended. */
const answered = (status: 'loading' | 'incomplete' | 'complete' | 'error' = 'complete'): Promise<void> =>
  page.locator(`.messages > :last-child[data-status=${status}]`).waitFor();

const chooseModel = async (name: string): Promise<void> => {
  await page.getByRole('combobox', { name: 'Model' }).click();
  await page.locator(`[role=option][data-value='${name}']`).click();
};

const sentBody = z.looseObject({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  model: z.string(),
  stream: z.literal(true),
});

/** The body that the next message sends. */
const nextBody = async (send: () => Promise<void>): Promise<z.infer<typeof sentBody>> => {
  const [request]: [Request, void] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith('/pg/chat/completions')),
    send(),
  ]);
  expect(request.headers()['new-api-user']).toBe(String(operator.userId));
  return sentBody.parse(request.postDataJSON());
};

test('an answer is streamed, shows its time and tokens, and its cost equals the change of the balance', async () => {
  const { quota } = await balanceOf(operator);
  await chooseModel(GATED);
  await ask('Write some code');
  await answered('loading');
  gated.goOn();
  await answered('incomplete');
  await lastReply().locator('.code').waitFor();
  gated.goOn();
  await answered();
  await lastReply().locator('.code .shiki').waitFor();
  const foot = lastReply().locator('.reply-meter');
  await foot.locator('.reply-cost').waitFor();
  await expect.poll(() => foot.textContent()).toMatch(/^gated[\d.]+ m?s TTFT[\d.]+ tok\/s\$0\.000\d+$/);
  const paid = quota - (await balanceOf(operator)).quota;
  await expect
    .poll(() => foot.locator('.reply-cost').getAttribute('data-tip'))
    .toMatch(new RegExp(`^${paid} units `));
  await foot.locator('.reply-cost').click();
  await page.locator('tr[data-row] .row-fold').click();
  await page.locator('[data-price-sum]').waitFor();
  const units = await page.locator('[data-units]').allTextContents();
  const sum = units.reduce((all, text) => all + Math.round(Number(text) * 1000), 0);
  expect(await page.locator('[data-price-sum]').getAttribute('data-price-sum')).toBe(String(sum / 1000));
  expect(await page.locator('[data-price-charged]').getAttribute('data-price-charged')).toBe(String(paid));
  expect(Math.max(1, Math.round(sum / 1000))).toBe(paid);
});

test('a stopped answer keeps the text received so far, and nothing is added to it', async () => {
  await chooseModel(ENDLESS);
  await ask('Write some code');
  await page.locator('.messages > :last-child .markdown').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await answered();
  const text = await lastReply().locator('.markdown').textContent();
  expect(text?.length).toBeGreaterThan(0);
  await expect.poll(() => lastReply().textContent()).toContain('stopped');
  // After the end of the upstream's call nothing more can arrive.
  await expect.poll(async () => (await simulator.calls()).open).toBe(0);
  expect(await lastReply().locator('.markdown').textContent()).toBe(text);
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
});

test('a refused call shows the error in the reply, and can be retried with another model', async () => {
  await chooseModel(BROKEN);
  await ask('Write a plan for the week');
  await answered('error');
  await expect.poll(() => lastReply().getByRole('alert').textContent()).toContain('The server had an error');
  await chooseModel(CHAT);
  await lastReply().getByRole('button', { name: 'Retry' }).click();
  await answered();
  await expect.poll(() => lastReply().textContent()).toContain('weekend in three steps');
  await expect.poll(() => page.locator('.reply').count()).toBe(2);
});

test('changing the language leaves a running answer alone', async () => {
  await chooseModel(GATED);
  await ask('Write some code');
  gated.goOn();
  await page.locator('.messages > :last-child .markdown').waitFor();
  await page.getByRole('button', { name: 'Change language' }).click();
  await page.getByRole('menuitemcheckbox', { name: '中文' }).click();
  await page.getByRole('button', { name: '切换语言' }).waitFor();
  gated.goOn();
  await answered();
  expect(await lastReply().textContent()).not.toContain('已停止');
  await page.getByRole('button', { name: '切换语言' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click();
  await composer().waitFor();
});

test('a conversation survives a reload, also in the middle of an answer', async () => {
  await ask('What does a token cost?');
  await answered();
  await chooseModel(ENDLESS);
  await ask('Write some code');
  await page.locator('.messages > :last-child .markdown').waitFor();
  await expect
    .poll(async () => (await savedItems(page))?.slice(-2))
    .toMatchObject([{ content: 'Write some code' }, { status: 'incomplete', content: expect.anything() }]);
  await page.reload();
  await answered();
  await expect
    .poll(() => page.locator('.said-text').allTextContents())
    .toEqual(['Hello', 'What does a token cost?', 'Write some code']);
  await expect.poll(() => page.locator('.reply').nth(1).locator('table').count()).toBe(1);
  await expect.poll(() => lastReply().textContent()).toContain('stopped');
});

test('the request has exactly the settings of the panel and the messages of the conversation', async () => {
  const first = await nextBody(() => ask('one'));
  expect(first).toMatchObject({ model: CHAT, group: 'default' });
  expect(first.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(Object.keys(first)).not.toContain('temperature');
  expect(Object.keys(first)).not.toContain('max_tokens');
  await answered();
  await page.getByRole('slider', { name: 'Temperature' }).fill('0.3');
  await page.getByRole('spinbutton', { name: 'Max tokens' }).fill('7');
  await page.getByRole('textbox', { name: 'System prompt' }).fill('');
  await page.getByRole('button', { name: 'Clear context' }).click();
  await page.getByRole('separator').waitFor();
  const second = await nextBody(() => ask('two'));
  expect(second).toMatchObject({
    temperature: 0.3,
    max_tokens: 7,
    messages: [{ role: 'user', content: 'two' }],
  });
  await answered();
});

test('the temperature is sent while its switch is on: 0 at first, then the slider’s value', async () => {
  const slider = page.getByRole('slider', { name: 'Temperature' });
  const sends = page.getByRole('switch', { name: 'Send the temperature' });
  const range = await slider.evaluate(
    ({ min, max, step }: HTMLInputElement) => `${min} to ${max} by ${step}`,
  );
  expect(range).toBe('0.1 to 1 by 0.1');
  await page.locator('output').filter({ hasText: 'model default' }).waitFor();
  const sent = async (text: string): Promise<unknown> => {
    const body = await nextBody(() => ask(text));
    await answered();
    return body['temperature'];
  };
  await sends.check();
  await page.locator('output').filter({ hasText: '0.0' }).waitFor();
  expect(await sent('one')).toBe(0);
  await slider.fill('0.7');
  expect(await sent('two')).toBe(0.7);
  await sends.uncheck();
  expect(await sent('three')).toBeUndefined();
  await slider.fill('1');
  expect([await sends.isChecked(), await sent('four')]).toEqual([true, 1]);
});

test('a message can be edited and sent again, deleted and restored, and answered again', async () => {
  await ask('one');
  await answered();
  await page.locator('.said').last().hover();
  await page.locator('.said').last().getByRole('button', { name: 'Edit and resend' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Plan a trip');
  await page.keyboard.press('Enter');
  await answered();
  await expect.poll(() => page.locator('.said-text').allTextContents()).toEqual(['Hello', 'Plan a trip']);
  await expect.poll(() => lastReply().textContent()).toContain('weekend in three steps');
  await lastReply().getByRole('button', { name: 'Delete message' }).click();
  await expect.poll(() => page.locator('.reply').count()).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => page.locator('.reply').count()).toBe(2);
  const again = await nextBody(() => lastReply().getByRole('button', { name: 'Regenerate' }).press('Enter'));
  await page.locator('.composer-text:focus').waitFor();
  expect(again.messages.at(-1)).toEqual({ role: 'user', content: 'Plan a trip' });
  await answered();
});

test('Shift+Enter inserts a line break, and Enter inside an input method does not send', async () => {
  await composer().pressSequentially('one');
  await composer().press('Shift+Enter');
  await composer().pressSequentially('two');
  await expect.poll(() => composer().inputValue()).toBe('one\ntwo');
  await composer().dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, bubbles: true });
  await expect.poll(() => composer().inputValue()).toBe('one\ntwo');
  const body = await nextBody(() => composer().press('Enter'));
  expect(body.messages.at(-1)?.content).toBe('one\ntwo');
  await answered();
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

test('a picture is sent with the text as a data URL', async () => {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') });
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
  const body = await nextBody(() => ask('What is this?'));
  expect(body.messages.at(-1)?.content).toEqual([
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
  ]);
  await answered();
});

test('after scrolling up, the position stays while the answer grows, and a button returns to the end', async () => {
  await chooseModel(GATED);
  await ask('Write some code');
  gated.goOn();
  await page.locator('.messages > :last-child .markdown').waitFor();
  await page.locator('.pg-scroll').hover();
  await page.mouse.wheel(0, -400);
  const button = page.getByRole('button', { name: 'Back to the latest' });
  await button.waitFor();
  const top = await page.locator('.pg-scroll').evaluate((box) => box.scrollTop);
  gated.goOn();
  await answered();
  expect(await page.locator('.pg-scroll').evaluate((box) => box.scrollTop)).toBe(top);
  await button.click();
  await button.waitFor({ state: 'detached' });
});

test('the playground is accessible, on a phone with its panel open as well', async () => {
  await ask('Write some code');
  await answered();
  expect(await accessibilityProblems(page)).toEqual([]);
  const phone = await site.open({ language: 'zh', theme: 'dark', isPhone: true });
  await phone.page.goto('/playground');
  await phone.page.getByRole('button', { name: '参数设置' }).click();
  await phone.page.getByRole('combobox', { name: '模型' }).waitFor();
  expect(await accessibilityProblems(phone.page)).toEqual([]);
  expect(phone.problems).toEqual([]);
  await phone.close();
});

test('the page reported no errors in any of these tests', () => {
  expect(site.visit.problems).toEqual([]);
});
