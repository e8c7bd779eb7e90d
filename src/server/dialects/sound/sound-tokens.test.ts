import { expect, it } from 'vitest';
import { chatFacts } from '../openai-chat/facts.ts';
import { facts as geminiFacts } from '../gemini/facts.ts';
import { geminiEmbeddings } from '../gemini-embeddings/gemini-embeddings.ts';
import { soundTokens } from './sound-tokens.ts';

/** Ten minutes of speech as files of few and of many bytes: what makers count is 32 tokens a second at most. */
const SECONDS = 600;
const TOKENS = SECONDS * 32;

/** A frame of MPEG-2 layer III at 8 kbit/s and 16 kHz: 36 ms in 36 bytes. */
const lowMp3 = (): Buffer => {
  const frame = Buffer.alloc(36);
  frame.set([0xff, 0xf3, 0x18, 0xc4]);
  return Buffer.concat(Array.from({ length: Math.ceil(SECONDS / 0.036) }, () => frame));
};

/** 16 kHz, 16 bits, one channel. */
const wav = (): Buffer => {
  const samples = SECONDS * 32_000;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(16_000, 24);
  head.writeUInt32LE(32_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples, 40);
  return Buffer.concat([head, Buffer.alloc(samples)]);
};

const within = (tokens: number | undefined, least: number): void => {
  expect(tokens).toBeGreaterThanOrEqual(least);
  expect(tokens).toBeLessThan(least * 1.02 + 20);
};

it('sound counts by how long it plays, whatever its bytes', () => {
  within(soundTokens(lowMp3().toString('base64'), 'mp3'), TOKENS);
  within(soundTokens(wav().toString('base64'), 'wav'), TOKENS);
  within(soundTokens(`data:audio/mp3;base64,${lowMp3().toString('base64')}`, ''), TOKENS);
  // Samples without a head: at least half a second for 4000 bytes.
  expect(soundTokens(Buffer.alloc(16_000).toString('base64'), 'audio/L16;rate=16000')).toBe(64);
});

it('each format tells how much of a prompt is sound', () => {
  const data = lowMp3().toString('base64');
  const part = { type: 'input_audio', input_audio: { data, format: 'mp3' } };
  const said = { type: 'text', text: 'What is said?' };
  const chat = chatFacts({ model: 'm', messages: [{ role: 'user', content: [said, part, part] }] });
  within(chat.soundTokens, TOKENS * 2);
  expect(chat.inputTokensEstimate).toBeGreaterThan(chat.soundTokens ?? 0);
  const contents = [{ parts: [{ text: 'What is said?' }, { inlineData: { mimeType: 'audio/mp3', data } }] }];
  within(geminiFacts({ model: 'm', contents }).soundTokens, TOKENS);
  const embedded = { model: 'm', content: contents[0] };
  within(geminiEmbeddings.facts(embedded).soundTokens, TOKENS);
  within(geminiEmbeddings.usageWithoutReport?.(embedded, {}).audioInputTokens, TOKENS / 2);
  expect(chatFacts({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }).soundTokens).toBeUndefined();
});

it('no honest count of sound is more than it can be', () => {
  const part = { type: 'input_audio', input_audio: { data: lowMp3().toString('base64'), format: 'mp3' } };
  const { promptTokensMost } = chatFacts({ model: 'm', messages: [{ role: 'user', content: [part] }] });
  expect(promptTokensMost).toBeGreaterThan(TOKENS * 10);
});
