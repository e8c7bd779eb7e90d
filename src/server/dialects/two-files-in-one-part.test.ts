import { expect, it } from 'vitest';
import { messagesFacts } from './anthropic-messages/facts.ts';
import { pdfOf } from './document/testing/documents.ts';
import { chatFacts } from './openai-chat/facts.ts';
import { responsesFacts } from './openai-responses/facts.ts';
import { pngOf } from './picture/testing/picture-heads.ts';

/** No data in a part hides other data from the hold, and no words beside it make it a file that cannot be counted. */

const MODEL = 'gpt-6';
const picture = (width: number): string =>
  `data:image/png;base64,${pngOf(width, width).toString('base64')}${width < 99 ? 'AAAA' : ''}`;
const pdf = pdfOf({ pages: 200, isPacked: true, isShared: true }).toString('base64');
const words = Buffer.from('word '.repeat(20_000)).toString('base64');

const chat = (part: object) => chatFacts({ model: MODEL, messages: [{ role: 'user', content: [part] }] });
const responses = (part: object) =>
  responsesFacts({ model: MODEL, input: [{ role: 'user', content: [part] }] });
const messages = (part: object) =>
  messagesFacts({ model: 'claude-opus-5', max_tokens: 1, messages: [{ role: 'user', content: [part] }] });

const large = { tokens: 188 ** 2 * 1.2 };

it('a large picture beside a small one is held for', () => {
  const [real, decoy] = [picture(6000), picture(8)];
  expect(decoy.length).toBeGreaterThan(real.length);
  const both = chat({ type: 'image_url', image_url: { url: real, thumbnail: decoy } });
  expect(both.pictureTokens).toBeGreaterThan(large.tokens);
  const elsewhere = chat({ type: 'image_url', image_url: { url: 'https://a.b/c', thumbnail: decoy } });
  expect(elsewhere.morePictureTokens).toBeGreaterThan(40_000);
});

it('a picture in low detail is one only where its format says so', () => {
  const url = picture(6000);
  expect(chat({ type: 'image_url', image_url: { url, detail: 'low' } }).pictureTokens).toBe(320);
  expect(responses({ type: 'input_image', image_url: url, detail: 'low' }).pictureTokens).toBe(320);
  expect(chat({ type: 'image_url', detail: 'low', image_url: { url } }).pictureTokens).toBe(42_413);
  const twice = { type: 'image_url', detail: 'low', image_url: { url, detail: 'high' } };
  expect(chat(twice).pictureTokens).toBe(42_413);
});

it('pages of a file are held for beside longer words', () => {
  expect(words.length).toBeGreaterThan(pdf.length);
  const alone = chat({ type: 'file', file: { file_data: pdf } });
  const both = chat({ type: 'file', file: { file_data: pdf, copy: words } });
  expect(alone.inputTokensEstimate).toBeGreaterThan(200 * 2574);
  expect(both.inputTokensEstimate).toBeGreaterThan(alone.inputTokensEstimate);
});

it('a document with a long context, or an address as its title, is counted', () => {
  const source = { type: 'base64', media_type: 'application/pdf', data: pdf };
  const mark = { type: 'ephemeral', ttl: '1h' };
  const title = 'https://example.com/a.pdf';
  const context = 'It was found in the archive. '.repeat(2000);
  const facts = messages({ type: 'document', source, title, context, cache_control: mark });
  expect(facts.mayFillContext).toBeUndefined();
  expect(facts.inputTokensEstimate).toBeGreaterThan(200 * 2000 + context.length / 2);
  const file = { file_data: pdf, filename: `${'a long name '.repeat(20)}.pdf`, file_id: null };
  expect(chat({ type: 'file', file }).mayFillContext).toBeUndefined();
});

it('silence in few bytes is held for as long as it plays', () => {
  // Frames of one byte, of 20 ms each.
  const data = Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(1400, 0x7c)]).toString('base64');
  expect(chat({ type: 'input_audio', input_audio: { data, format: 'amr' } }).soundTokens).toBe(896);
});
