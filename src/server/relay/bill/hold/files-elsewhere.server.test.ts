import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdfOf } from '../../../dialects/document/testing/documents.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { chargesOf } from '../../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** A file that is named by its address may be as long as the model reads: that is held for (docs/billing.md). */

const PROMPT = 500_000;
const COST = PROMPT + 1;
const LONGEST_PROMPT = 1_048_576;

let upstream: SlowUpstream;
let scene: Scene;

beforeAll(async () => {
  upstream = await startSlowUpstream(100, () =>
    JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: PROMPT, completion_tokens: 1, total_tokens: PROMPT + 1 },
    }),
  );
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'reading' });
  await scene.set('ModelRatio', '{"reading":1}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const FILE = { type: 'file', file: { file_url: 'https://example.com/book.pdf' } };
const sent = (bytes: Buffer) => ({
  type: 'file',
  file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${bytes.toString('base64')}` },
});

/** The answer to the last call. */
let said = '';
const ask = async ({ key }: Spender, parts: readonly object[]): Promise<number> => {
  const content = [{ type: 'text', text: 'What?' }, ...parts];
  const answer = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'reading', max_tokens: 16, messages: [{ role: 'user', content }] }),
  });
  said = await answer.text();
  return answer.status;
};

it('a file at an address is held for as the longest there can be, and costs what it was', async () => {
  const rich = await scene.spender('rich', 5_000_000);
  expect(await ask(rich, [FILE])).toBe(200);
  const [charge] = await chargesOf(scene, rich);
  expect(charge?.units).toBe(COST);
  expect(charge?.hold_units).toBeGreaterThanOrEqual(LONGEST_PROMPT);
});

it('a payer who has less than that is refused with the amounts and what to do, and nothing is sent', async () => {
  const { served } = upstream;
  const poor = await scene.spender('poor reader', LONGEST_PROMPT - 1);
  const encrypted = sent(pdfOf({ pages: 1, more: 'trailer<</Encrypt 5 0 R>>' }));
  for (const file of [FILE, encrypted]) {
    expect(await ask(poor, [file])).toBe(403);
    expect(said).toMatch(
      /at least \S+ is held .* the account has \S+.*send a file whose size can be counted/,
    );
  }
  expect(upstream.served).toBe(served);
  expect(await chargesOf(scene, poor)).toEqual([]);
});

it('of many at once, no more are sent than the balance surely pays for', async () => {
  const spender = await scene.spender('crowd', 2 * LONGEST_PROMPT + 50_000);
  const statuses = await Promise.all(Array.from({ length: 10 }, () => ask(spender, [FILE])));
  const charges = await chargesOf(scene, spender);
  expect(statuses.filter((status) => status === 200)).toHaveLength(charges.length);
  // Two at once, then one more of what these give back.
  expect(charges.map(({ units }) => units)).toEqual([COST, COST, COST]);
  for (const charge of charges) expect(charge).not.toHaveProperty('not_charged_units');
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
});

it('a file that was sent along is held for by its pages, also in another thread', async () => {
  const spender = await scene.spender('inline', 5_000_000);
  expect(await ask(spender, [sent(pdfOf({ pages: 3, text: 'Hello' }))])).toBe(200);
  expect(await ask(spender, [sent(pdfOf({ pages: 3, text: 'Hello'.repeat(9000) }))])).toBe(200);
  const [long, short] = await chargesOf(scene, spender);
  expect(short?.hold_units).toBeGreaterThan(3 * 2835);
  expect(short?.hold_units).toBeLessThan(12_000);
  expect(long?.hold_units).toBeGreaterThan(3 * (2835 + 22_500));
  expect(long?.hold_units).toBeLessThan(3 * (2835 + 22_500) + 2000);
});

it('a file of few pages costs its payer no more money than it has', async () => {
  const poor = await scene.spender('few', 12_000);
  expect(await ask(poor, [sent(pdfOf({ pages: 3, text: 'Hello' }))])).toBe(200);
});

it('a small file of a thousand pages is not sent for who cannot pay it', async () => {
  const book = sent(pdfOf({ pages: 1000, isPacked: true, isShared: true }));
  expect(JSON.stringify(book).length).toBeLessThan(30_000);
  const poor = await scene.spender('book', COST - 1);
  expect(await ask(poor, [book])).toBe(403);
  expect(await chargesOf(scene, poor)).toEqual([]);
  const rich = await scene.spender('books', 2 * LONGEST_PROMPT);
  expect(await ask(rich, [book])).toBe(200);
  const [charge] = await chargesOf(scene, rich);
  expect([charge?.units, charge?.not_charged_units ?? 0]).toEqual([COST, 0]);
});

it('a picture at an address is held for as the largest, or with what its payer has', async () => {
  const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
  const rich = await scene.spender('seen', 5_000_000);
  expect(await ask(rich, [picture])).toBe(200);
  expect((await chargesOf(scene, rich))[0]?.hold_units).toBeGreaterThan(46_000);
  const poor = await scene.spender('poor', 5000);
  expect(await ask(poor, [picture])).toBe(200);
  expect((await chargesOf(scene, poor))[0]?.hold_units).toBe(5000);
});
