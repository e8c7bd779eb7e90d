import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import { type ConsoleSite, startConsole } from '../support/console-site.ts';
import { accessibilityProblems } from '../support/console-visit.ts';
import { makeChannel, makeToken, setOption } from '../support/operator.ts';
import { widerThanPlace } from '../support/sideways.ts';

/** Evidence about a channel's upstream, and its bill against the calls, in a real browser. */

const MODEL = 'gpt-4o';
const CALLS = 12;
const TEXT = 'The weather in Paris is fine today, and it will be so tomorrow. '.repeat(20);

let upstream: Server;
let site: ConsoleSite;
let id: number;
let calledMs: number;

const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 320, total_tokens: 420 },
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  await listening(upstream);
  site = await startConsole();
  const { operator, url } = site;
  await setOption(operator, 'ModelRatio', { [MODEL]: 1 });
  await setOption(operator, 'evidence_setting.least_calls', 10);
  const { port } = upstream.address() as AddressInfo;
  await makeChannel(operator, { name: 'cheap', baseUrl: `http://127.0.0.1:${port}`, models: [MODEL] });
  const { items } = z
    .object({ items: z.array(z.object({ id: z.number() })) })
    .parse(await operator.call('/api/channel?page_size=1'));
  id = items[0]?.id ?? 0;
  await setOption(operator, 'evidence_setting.lowered', {
    [id]: { percent: 40, model: MODEL, finding: 'other_model' },
  });
  const { key } = await makeToken(operator, { name: 'notebook', unlimited_quota: true });
  for (let at = 0; at < CALLS; at += 1) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'How is the weather?' }] }),
    });
    await response.text();
    expect(response.status).toBe(200);
  }
  calledMs = Date.now();
});
afterAll(async () => {
  await site.stop();
  hangUp(upstream);
});

const open = async (page: Page, entry: string, title: string, channel = 'cheap'): Promise<Locator> => {
  await page.goto(`${site.url}/channel`);
  await page
    .locator('[data-row]')
    .filter({ hasText: channel })
    .locator('[aria-haspopup=menu]')
    .first()
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
  return page.getByRole('dialog', { name: title });
};

test('an admin sees which other model was named and why the weight is lowered, and saves the file', async () => {
  const { page, problems } = site.visit;
  // Evidence is written every ten seconds.
  const models = async () =>
    z
      .object({ models: z.array(z.object({ calls: z.number() })) })
      .parse(await site.operator.call(`/api/channel/${id}/evidence`)).models[0]?.calls;
  await expect.poll(models).toBe(CALLS);
  const dialog = await open(page, 'Evidence', 'Evidence · cheap');
  await dialog.getByText('Its weight is at 40% because of gpt-4o: Other model named.').waitFor();
  const row = dialog.getByRole('row').filter({ hasText: MODEL }).last();
  await row.getByText('Named instead: gpt-4o-mini-2024-07-18').waitFor();
  await row.getByText('100.0%').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(1 + CALLS);
  expect(problems).toEqual([]);
});

test('it fits on a phone, in Chinese and dark', async () => {
  const { page } = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  const dialog = await open(page, '上游证据', '上游证据 · cheap');
  await dialog.getByText('权重已降至 40%').waitFor();
  expect(await widerThanPlace(page)).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});

/** Stores answers to sealed questions for two channels, one of which is wrong far more often. */
const answerSealed = (otherId: number): void => {
  const database = new DatabaseSync(join(site.tollgate.dataDir, 'tollgate.db'));
  const day = Math.floor(Date.now() / 86_400_000);
  const rows = [
    [id, 'sealed', 'wrong', 9],
    [id, 'sealed', 'right', 3],
    [id, 'cache', 'never_sent', 2],
    [otherId, 'sealed', 'wrong', 1],
    [otherId, 'sealed', 'right', 19],
  ] as const;
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    const add = database.prepare(
      'INSERT INTO channel_evidence (day, channel_id, model, measure, detail, calls, amount) VALUES (?, ?, ?, ?, ?, ?, 0)',
    );
    for (const [channelId, measure, detail, calls] of rows)
      add.run(day, channelId, MODEL, measure, detail, calls);
  } finally {
    database.close();
  }
};

test('wrong answers to sealed questions are shown beside those of other channels, and become a finding, on a phone too', async () => {
  const { operator } = site;
  await makeChannel(operator, { name: 'honest', baseUrl: 'http://127.0.0.1:9', models: [MODEL] });
  const { items } = z
    .object({ items: z.array(z.object({ id: z.number(), name: z.string() })) })
    .parse(await operator.call('/api/channel'));
  answerSealed(items.find(({ name }) => name === 'honest')?.id ?? 0);
  const { page } = site.visit;
  const dialog = await open(page, 'Evidence', 'Evidence · cheap');
  const row = dialog.getByRole('row').filter({ hasText: MODEL }).last();
  await row.getByText('Wrong answers').waitFor();
  await row.getByText('Cache reads of what was never sent').waitFor();
  await row.getByText('9 / 12').waitFor();
  await row.getByText('others 5.0%').waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const honest = await open(page, 'Evidence', 'Evidence · honest', 'honest');
  const fair = honest.getByRole('row').filter({ hasText: MODEL }).last();
  await fair.getByText('1 / 20').waitFor();
  expect(await fair.getByText('Wrong answers').count()).toBe(0);
  const phone = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  const small = await open(phone.page, '上游证据', '上游证据 · cheap');
  await small.getByText('9 / 12').waitFor();
  expect(await widerThanPlace(phone.page)).toEqual([]);
  expect(await accessibilityProblems(phone.page)).toEqual([]);
});

/** The upstream's bill: it lacks one call, states one differently, and has one that nobody here made. */
const bill = () => {
  const row = (input: number, output: number, model = MODEL, atMs = calledMs): string =>
    [new Date(atMs).toISOString(), model, input, output].join(',');
  const rows = Array.from({ length: CALLS - 2 }, () => row(100, 320));
  const lines = [
    'created_at,model,prompt_tokens,completion_tokens',
    ...rows,
    row(100, 321),
    row(7, 8, 'stranger', calledMs - 100_000),
  ];
  return { name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
};

test('an admin compares the bill of an upstream with its calls, finds what is missing on either side, and saves it', async () => {
  const { page, problems } = site.visit;
  const dialog = await open(page, 'Reconcile…', 'Reconcile · cheap');
  await dialog.getByText('A bill or usage export').waitFor();
  await dialog.locator('input[type=file]').setInputFiles(bill());
  await dialog.getByRole('heading', { name: 'What the columns say' }).waitFor();
  expect(await dialog.getByLabel('Output tokens', { exact: true }).first().inputValue()).toBe(
    'completion_tokens',
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
  await dialog.getByText('1 differ, 1 are missing here, 1 are missing there.').waitFor();
  await dialog.getByText('320').first().waitFor();
  await dialog.getByText('321 → 320').waitFor();
  await dialog.getByRole('radio', { name: 'Missing here' }).check({ force: true });
  await dialog.getByRole('row').filter({ hasText: 'stranger' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save all lines as CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(1 + CALLS + 1);
  expect(problems).toEqual([]);
});

test('a bill fits on a phone, in Chinese and dark, and one that cannot be read says where', async () => {
  const { page } = await site.open({ language: 'zh', isPhone: true, theme: 'dark' });
  const dialog = await open(page, '上游对账…', '上游对账 · cheap');
  const file = dialog.locator('input[type=file]');
  await file.setInputFiles({ ...bill(), buffer: Buffer.from('time,cost\n2026-01-01 8:00,1\nsoon,1\n') });
  await dialog.getByRole('button', { name: '开始对账' }).click();
  await dialog.getByText('第 3 行：“time”列的“soon”不是时间').waitFor();
  await file.setInputFiles(bill());
  await dialog.getByText('prompt_tokens').first().waitFor();
  expect(await widerThanPlace(page)).toEqual([]);
  await dialog.getByRole('button', { name: '开始对账' }).click();
  await dialog.getByText('不一致 1 条').waitFor();
  expect(await widerThanPlace(page)).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});
