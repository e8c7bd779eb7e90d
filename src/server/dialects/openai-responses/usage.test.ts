import type { ResponseUsage } from 'openai/resources/responses/responses';
import { expect, test } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import { writeUsage } from './usage.ts';

test('a converted usage has every count that official clients require, and refuse a response without', () => {
  const required: ResponseUsage = {
    input_tokens: 3,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 4,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 7,
  };
  expect(writeUsage({ ...noUsage, inputTokens: 3, outputTokens: 4 })).toEqual(required);
});
