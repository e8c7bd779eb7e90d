import { expect, test } from 'vitest';
import { messagesFacts } from './facts.ts';
import { tapWhole } from './tap.ts';
import { readUsage, readUsageExtras, writeUsage } from './usage.ts';

const entry = (type: string, input: number, output: number, more: object = {}): object => ({
  type,
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: null,
  ...more,
});

test('what a compaction and an advisor used is beside the sums, and is charged', () => {
  const usage = readUsage({
    input_tokens: 23_000,
    output_tokens: 1000,
    iterations: [
      entry('compaction', 180_000, 3500, {
        cache_read_input_tokens: 10,
        cache_creation_input_tokens: 7,
        cache_creation: { ephemeral_1h_input_tokens: 7, ephemeral_5m_input_tokens: 0 },
      }),
      entry('message', 23_000, 1000),
      entry('advisor_message', 500, 70, { model: 'm' }),
    ],
  });
  expect(usage).toMatchObject({
    inputTokens: 23_000 + 180_000 + 500,
    outputTokens: 1000 + 3500 + 70,
    cacheReadTokens: 10,
    cacheWrite1hTokens: 7,
    cacheWrite5mTokens: 0,
  });
});

test('usage that is written is what was read: a step beside the sums is counted once, however often it is passed on', () => {
  const told = {
    input_tokens: 23_000,
    output_tokens: 1000,
    iterations: [
      entry('message', 23_000, 1000),
      entry('compaction', 180_000, 3500, { cache_read_input_tokens: 10 }),
      entry('advisor_message', 500, 70),
    ],
  };
  const usage = readUsage(told);
  expect(usage).toBeDefined();
  if (usage === undefined) return;
  const written = writeUsage(usage, readUsageExtras(told));
  expect(written).toMatchObject(told);
  expect(readUsage(written)).toEqual(usage);
  // Where the steps are not shown, the sums have all.
  expect(readUsage(writeUsage(usage))).toEqual(usage);
});

test.each([
  ['no list', null],
  ['no counts', [entry('compaction', -1, 0.5)]],
  ['nothing that is an object', ['compaction', null, 7]],
  ['messages alone, which are in the sums', [entry('message', 5, 5), entry('fallback_message', 5, 5)]],
])('%s changes nothing', (_, iterations) => {
  expect(readUsage({ input_tokens: 9, output_tokens: 2, iterations })).toMatchObject({
    inputTokens: 9,
    outputTokens: 2,
  });
});

test('what may be read a second time is held for, and a short conversation is not', () => {
  const held = (words: number, more: object): number =>
    messagesFacts({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(words) }], ...more })
      .inputTokensEstimate;
  const compacted = { context_management: { edits: [{ type: 'compact_20260112' }] } };
  const cleared = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
  const plain = held(50_000, {});
  expect(held(50_000, compacted)).toBe(2 * plain);
  expect(held(50_000, { compaction: { type: 'summarize' } })).toBe(2 * plain);
  expect(held(50_000, cleared)).toBe(plain);
  expect(held(10, compacted)).toBe(held(10, {}));
  expect(held(10, { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'm' }] })).toBeGreaterThan(
    2 * held(10, {}),
  );
});

test.each(['thinking', 'redacted_thinking'])('a whole reply tells that it has a block of %s', (type) => {
  const said = { type: 'text', text: 'hi' };
  expect(tapWhole({ content: [{ type, thinking: 'hm' }, said] }).thinks).toBe(true);
  expect(tapWhole({ content: [said] }).thinks).toBeUndefined();
});
