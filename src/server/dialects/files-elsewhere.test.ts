import { expect, it } from 'vitest';
import { messagesFacts } from './anthropic-messages/facts.ts';
import { facts as geminiFacts } from './gemini/facts.ts';
import { chatFacts } from './openai-chat/facts.ts';
import { responsesFacts } from './openai-responses/facts.ts';

/** Of a file that is named by its address, nobody knows the length before it is read (docs/billing.md). */

const PDF = 'https://example.com/a.pdf';
const DATA = Buffer.alloc(3000).toString('base64');

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
])('%# a file by its address is one', ({ mayFillContext }) => {
  expect(mayFillContext).toBe(true);
});

it.each([
  chat({ type: 'text', text: PDF }),
  chat({ type: 'image_url', image_url: { url: PDF } }),
  chat({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${DATA}` } }),
  chat({ type: 'input_audio', input_audio: { data: DATA, format: 'mp3' } }),
  responses({ type: 'input_file', filename: 'a.pdf', file_data: DATA }),
  responses({ type: 'input_image', image_url: PDF }),
  messages(document({ type: 'base64', media_type: 'application/pdf', data: DATA })),
  messages(document({ type: 'text', media_type: 'text/plain', data: PDF })),
  messages(document({ type: 'content', content: [{ type: 'text', text: PDF }] })),
  messages({ type: 'image', source: { type: 'url', url: PDF } }),
  messages({ type: 'tool_use', id: 't', name: 'read', input: { file: PDF, source: PDF } }),
  gemini(file('https://example.com/a.png', 'image/png')),
  gemini({ inlineData: { data: DATA, mimeType: 'application/pdf' } }),
])('%# a file that was sent along, a picture, or words are none', ({ mayFillContext }) => {
  expect(mayFillContext).toBeUndefined();
});
