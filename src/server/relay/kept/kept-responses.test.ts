import { afterEach, beforeEach, expect, it } from 'vitest';
import type { KeptResponse, KeptResponseStore } from '#core/kept/kept-response.ts';
import { KeptResponses } from './kept-responses.ts';
import { readKeptReply } from './kept-reply.ts';

/** Where responses are kept is known at once, and written a moment later. */

const NOW_MS = 1000;
const PLACE: KeptResponse = {
  userId: 1,
  responseId: '',
  tokenId: 0,
  channelId: 7,
  keyIndex: 0,
  model: 'gpt',
  contextTokens: 0,
  createdAtMs: NOW_MS,
  expiresAtMs: 2 * NOW_MS,
};

let rows: KeptResponse[] = [];
/** What the database waits for before it answers. */
let ready: Promise<void> = Promise.resolve();
let kept: KeptResponses;

const store: KeptResponseStore = {
  add: async (added) => {
    await ready;
    rows.push(...added);
  },
  find: async (userId, responseId) =>
    rows.find((one) => one.userId === userId && one.responseId === responseId),
  holders: async (ids) => rows.filter(({ responseId }) => ids.includes(responseId)),
  forget: async (userId, responseId) => {
    await ready;
    rows = rows.filter((one) => one.userId !== userId || one.responseId !== responseId);
  },
  deleteExpired: () => Promise.resolve(),
};

const silent = () => undefined;

beforeEach(() => {
  rows = [];
  ready = Promise.resolve();
  kept = new KeptResponses(store, { info: silent, warn: silent, error: silent });
});
afterEach(() => kept.flush());

it('a response is found before it is written, by its owner alone', async () => {
  kept.noteAt(PLACE, ['resp_1']);
  expect(await kept.find(1, 'resp_1', NOW_MS)).toMatchObject({ channelId: 7 });
  expect(await kept.find(2, 'resp_1', NOW_MS)).toBeUndefined();
  expect(rows).toEqual([]);
});

it('a response that is deleted before it is written is gone, and is not written after all', async () => {
  kept.noteAt(PLACE, ['resp_1', 'resp_2']);
  await kept.forget({ ...PLACE, responseId: 'resp_1' });
  expect(await kept.find(1, 'resp_1', NOW_MS)).toBeUndefined();
  await kept.flush();
  expect(rows.map(({ responseId }) => responseId)).toEqual(['resp_2']);
});

it('a response is deleted once the database says so', async () => {
  kept.noteAt(PLACE, ['resp_1']);
  await kept.flush();
  const answered = Promise.withResolvers<void>();
  ready = answered.promise;
  let isOver = false;
  const over = kept.forget({ ...PLACE, responseId: 'resp_1' }).then(() => (isOver = true));
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(isOver).toBe(false);
  answered.resolve();
  await over;
  expect(rows).toEqual([]);
});

it('an item is as long as it would be in full; of one that refers to something nobody knows', () => {
  const lengthOf = (item: object): number | undefined =>
    readKeptReply(Buffer.from(JSON.stringify({ output: [{ id: 'item_1', ...item }] }))).items[0]?.tokens;
  const content = [{ type: 'output_text', text: 'word '.repeat(100) }];
  expect(lengthOf({ type: 'message', role: 'assistant', content })).toBeGreaterThan(100);
  expect(lengthOf({ type: 'item_reference' })).toBeUndefined();
  expect(lengthOf({ type: 'reasoning', summary: [] })).toBeUndefined();
});
