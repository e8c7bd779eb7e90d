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

it('so is what was written down of the caller’s words, whose report may also be of seconds', () => {
  const type = 'conversation.item.input_audio_transcription.completed';
  const written = (usage: object) =>
    tapMessage(Buffer.from(JSON.stringify({ type, transcript: 'twelve bytes', usage })))?.transcription;
  expect(written({ type: 'tokens', input_tokens: 500_000, output_tokens: 9 })).toMatchObject({
    outputTokens: 9,
  });
  const counted = { inputTokens: 15, outputTokens: 3, estimated: true };
  expect(written({ type: 'tokens', input_tokens: 512_000, output_tokens: 9 })).toMatchObject(counted);
  expect(written({ type: 'duration', seconds: 30_000 })).toMatchObject({ outputTokens: 0 });
  expect(written({ type: 'duration', seconds: 36_000_000 })).toMatchObject(counted);
});

it.each<[object | string, number]>([
  ['pcm16', 48_000],
  [{ type: 'audio/pcm', rate: 24_000 }, 48_000],
  [{ type: 'audio/pcm', rate: 16_000 }, 32_000],
  [{ type: 'audio/pcmu', rate: 16_000 }, 8000],
  [{ type: 'audio/pcm', rate: 1 }, 48_000],
])('a second of sound has as many bytes as its format says: %j', (format, bytes) => {
  const told = { type: 'session.updated', session: { audio: { input: { format }, output: { format } } } };
  expect(tapMessage(Buffer.from(JSON.stringify(told)))?.session).toEqual({
    inputBytesPerSecond: bytes,
    outputBytesPerSecond: bytes,
  });
});
