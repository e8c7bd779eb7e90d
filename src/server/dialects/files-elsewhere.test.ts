import { expect, it } from 'vitest';
import { messagesFacts } from './anthropic-messages/facts.ts';
import { pdfOf } from './document/testing/documents.ts';
import { facts as geminiFacts } from './gemini/facts.ts';
import { chatFacts } from './openai-chat/facts.ts';
import { responsesFacts } from './openai-responses/facts.ts';
import { pngOf } from './picture/testing/picture-heads.ts';

/** Of a file that is named by its address, or that cannot be counted, nobody knows the length before it is read (docs/billing.md). */

const PDF = 'https://example.com/a.pdf';
const DATA = pdfOf({ pages: 2, text: 'Hi' }).toString('base64');
const SOUND = Buffer.alloc(3000).toString('base64');
/** Of no kind that can be counted. */
const FILM = Buffer.alloc(3000).toString('base64');

const chat = (part: object) =>
  chatFacts({ model: 'm', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, part] }] });
const responses = (part: object) =>
  responsesFacts({ model: 'm', input: [{ role: 'user', content: [part] }] });
const messages = (part: object) =>
  messagesFacts({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [part] }] });
const gemini = (part: object) => geminiFacts({ model: 'm', contents: [{ role: 'user', parts: [part] }] });

const document = (source: object) => ({ type: 'document', source });
const resultOf = (part: object) => ({ type: 'tool_result', tool_use_id: 't', content: [part] });
const file = (fileUri: string, mimeType: string) => ({ fileData: { fileUri, mimeType } });

it.each([
  chat({ type: 'file', file: { file_url: PDF } }),
  chat({ type: 'file', file: { file_id: 'file-1' } }),
  chat({ type: 'video_url', video_url: { url: 'HTTP://example.com/a.mp4' } }),
  chat({ type: 'audio_url', audio_url: { url: ` ${PDF}` } }),
  responses({ type: 'input_file', file_url: PDF }),
  responses({ type: 'input_file', file_id: 'file-1' }),
  messages(document({ type: 'url', url: PDF })),
  messages(document({ type: 'file', file_id: 'file-1' })),
  messages(resultOf(document({ type: 'url', url: PDF }))),
  gemini(file(PDF, 'application/pdf')),
  gemini({ file_data: { file_uri: 'https://youtu.be/a', mime_type: 'video/mp4' } }),
  gemini({ fileData: { fileUri: 'https://youtu.be/a' } }),
  chat({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${FILM}` } }),
  responses({ type: 'input_file', filename: 'a.xlsx', file_data: FILM }),
  messages(document({ type: 'base64', media_type: 'application/pdf', data: FILM })),
  gemini({ inlineData: { data: FILM, mimeType: 'video/mp4' } }),
  geminiFacts({ model: 'm', contents: [{ parts: [{ text: 'Hi' }] }], cachedContent: 'cachedContents/a' }),
  geminiFacts({ model: 'm', contents: [{ parts: [{ text: 'Hi' }] }], cached_content: 'cachedContents/a' }),
])(
  '%# a file by its address, or that cannot be counted, or a prompt that is kept elsewhere, is one',
  ({ mayFillContext }) => {
    expect(mayFillContext).toBe('files');
  },
);

it.each([
  chat({ type: 'text', text: PDF }),
  chat({ type: 'image_url', image_url: { url: PDF } }),
  chat({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${DATA}` } }),
  chat({ type: 'input_audio', input_audio: { data: SOUND, format: 'mp3' } }),
  responses({ type: 'input_file', filename: 'a.pdf', file_data: DATA }),
  responses({ type: 'input_image', image_url: PDF }),
  messages(document({ type: 'base64', media_type: 'application/pdf', data: DATA })),
  messages(document({ type: 'text', media_type: 'text/plain', data: PDF })),
  messages(document({ type: 'content', content: [{ type: 'text', text: PDF }] })),
  messages({ type: 'image', source: { type: 'url', url: PDF } }),
  messages({ type: 'tool_use', id: 't', name: 'read', input: { file: PDF, source: PDF } }),
  gemini(file('https://example.com/a.png', 'image/png')),
  gemini({ inlineData: { data: DATA, mimeType: 'application/pdf' } }),
  geminiFacts({ model: 'm', contents: [{ parts: [{ text: 'Hi' }] }], cachedContent: '' }),
])('%# a file that was sent along, a picture, or words are none', ({ mayFillContext }) => {
  expect(mayFillContext).toBeUndefined();
});

const WORDS = 'word '.repeat(20_000);

it.each([
  [
    'a text in base64',
    responses({
      type: 'input_file',
      filename: 'a.txt',
      file_data: `data:text/plain;base64,${Buffer.from(WORDS).toString('base64')}`,
    }),
  ],
  ['a document of words', messages(document({ type: 'text', media_type: 'text/plain', data: WORDS }))],
  ['a document of parts', messages(document({ type: 'content', content: [{ type: 'text', text: WORDS }] }))],
  [
    'a document of words in Gemini',
    gemini({ inlineData: { data: Buffer.from(WORDS).toString('base64'), mimeType: 'application/json' } }),
  ],
  [
    'a page of words',
    chat({ type: 'file', file: { file_data: pdfOf({ pages: 1, text: WORDS }).toString('base64') } }),
  ],
])('a file that is text is held as its words: %s', (_, facts) => {
  expect(facts.inputTokensEstimate).toBeGreaterThanOrEqual(50_000);
  expect(facts.inputTokensEstimate).toBeLessThan(54_000);
  expect(facts.mayFillContext).toBeUndefined();
});

it('each picture of a film that is sent as a list of them counts', () => {
  const film = (frames: number) =>
    chat({ type: 'video', video: Array.from({ length: frames }, () => 'https://example.com/a.jpg') });
  expect(film(64).inputTokensEstimate - film(1).inputTokensEstimate).toBe(63 * 2000);
});

it('a picture of unknown size may be larger than usual, and one that was sent is as large as it is', () => {
  const asked = (model: string, url: string) =>
    chatFacts({ model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
  expect(asked('gpt-6', PDF)).toMatchObject({ pictureTokens: 2000, morePictureTokens: 40_413 });
  const sent = asked('gpt-6', `data:image/png;base64,${pngOf(4032, 3024).toString('base64')}`);
  expect(sent).toMatchObject({ pictureTokens: 14_364 });
  expect(sent.morePictureTokens).toBeUndefined();
  const inGemini = geminiFacts({
    model: 'gemini-2.5-pro',
    contents: [
      { parts: [{ inlineData: { mimeType: 'image/png', data: pngOf(4032, 3024).toString('base64') } }] },
    ],
  });
  expect(inGemini).toMatchObject({ pictureTokens: 24 * 258 });
});

it('a prompt that OpenAI keeps may have any length, and is held with more than its id', () => {
  const kept = responsesFacts({ model: 'm', prompt: { id: 'pmpt_1' } });
  const own = responsesFacts({ model: 'm', prompt: {} });
  expect(kept).toMatchObject({ mayFillContext: 'tools' });
  expect(kept.promptTokensMost).toBeUndefined();
  expect(kept.inputTokensEstimate - own.inputTokensEstimate).toBeGreaterThan(10_000);
  expect(own.mayFillContext).toBeUndefined();
});

it('a thread that Anthropic keeps may have any length, and is held with more than what this turn adds', () => {
  const turn = (thread: object) =>
    messagesFacts({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], thread });
  const [begun, continued] = [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }].map(
    turn,
  );
  expect(continued).toMatchObject({ continues: true });
  expect(continued?.promptTokensMost).toBeUndefined();
  expect((continued?.inputTokensEstimate ?? 0) - (begun?.inputTokensEstimate ?? 0)).toBe(20_000);
  expect(begun?.continues).toBeUndefined();
});
