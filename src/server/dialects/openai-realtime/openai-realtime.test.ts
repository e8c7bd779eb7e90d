import { expect, it } from 'vitest';
import { tapMessage } from './openai-realtime.ts';

const reported = (input_tokens: number, output_tokens: number) => {
  const response = { id: 'r', usage: { input_tokens, output_tokens } };
  return tapMessage(Buffer.from(JSON.stringify({ type: 'response.done', response })))?.done?.usage;
};

it('an answer that reports four times as many tokens as any model keeps is counted instead', () => {
  expect(reported(500_000, 12_000)).toMatchObject({ inputTokens: 500_000, outputTokens: 12_000 });
  expect(reported(500_000, 12_001)).toBeUndefined();
  expect(reported(1, 511_999)).toMatchObject({ outputTokens: 511_999 });
});
