import { describe, expect, it } from 'vitest';
import { messagesFacts } from './anthropic-messages/facts.ts';
import type { RequestFacts } from './dialect.ts';
import { facts as geminiFacts } from './gemini/facts.ts';
import { chatFacts } from './openai-chat/facts.ts';
import { responsesFacts } from './openai-responses/facts.ts';

/**
 * Few bytes may be many tokens: a document of a thousand blank pages, a film of an hour that shows one picture, a picture
 * that its maker sees as large as it is, whatever detail was asked for. An honest report of them is believed.
 */

const data = Buffer.alloc(6000, 7).toString('base64');
const pdf = `data:application/pdf;base64,${data}`;
const png = `data:image/png;base64,${data}`;
const LONGEST_PROMPT = 1_048_576;
const DEAREST_PICTURE = 40_000;

const chat = (...content: object[]): RequestFacts =>
  chatFacts({ model: 'claude-opus-4-7', messages: [{ role: 'user', content }] });
const gemini = (mimeType: string): RequestFacts =>
  geminiFacts({ model: 'm', contents: [{ role: 'user', parts: [{ inlineData: { mimeType, data } }] }] });
const message = (source: object): RequestFacts =>
  messagesFacts({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: [{ type: 'document', source }] }],
  });

describe('a small file', () => {
  it.each([
    ['a document in a chat', chat({ type: 'file', file: { filename: 'a.pdf', file_data: pdf } })],
    ['a film in a chat', chat({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${data}` } })],
    [
      'a document in Responses',
      responsesFacts({
        model: 'm',
        input: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: pdf }] }],
      }),
    ],
    ['a document in Messages', message({ type: 'base64', media_type: 'application/pdf', data })],
    ['a document in Gemini', gemini('application/pdf')],
    ['a film in Gemini', gemini('video/mp4')],
  ])('may be all that a model reads: %s', (_, facts) => {
    expect(facts.promptTokensMost).toBeGreaterThanOrEqual(LONGEST_PROMPT);
  });

  it('is bounded where it is text', () => {
    const { promptTokensMost } = message({ type: 'text', media_type: 'text/plain', data: 'short' });
    expect(promptTokensMost).toBeLessThan(1000);
  });
});

describe('a picture is held as one, and not as the text of its bytes', () => {
  const large = `data:image/png;base64,${'A'.repeat(400_000)}`;
  const asked = (input: readonly object[], more: object = {}): RequestFacts =>
    responsesFacts({ model: 'gpt-5', input, ...more });
  const output = { type: 'computer_screenshot', image_url: large };
  const drawn = { type: 'image_generation_call', id: 'ig_1', status: 'completed' };
  const mask = [{ type: 'image_generation', input_image_mask: { image_url: large } }];

  it.each([
    ['what a computer shows', asked([{ type: 'computer_call_output', call_id: 'call_1', output }])],
    ['what was drawn in a turn before', asked([{ ...drawn, result: 'A'.repeat(400_000) }])],
    ['the mask of a drawing', asked([], { tools: mask })],
  ])('%s', (_, facts) => {
    expect(facts).toMatchObject({ pictureTokens: 1445 });
    expect(facts.inputTokensEstimate).toBeLessThan(1645);
  });

  it('where it is one: text under such a name is text', () => {
    const text = 'word '.repeat(20_000);
    const results = [{ type: 'function_call_output', call_id: 'c', output: text, result: text }];
    expect(asked(results).inputTokensEstimate).toBeGreaterThan(90_000);
    expect(asked([{ image_url: text }]).inputTokensEstimate).toBeGreaterThan(45_000);
    expect(asked([{ ...drawn, result: 'A', text }]).inputTokensEstimate).toBeGreaterThan(45_000);
  });
});

describe('a picture of low detail', () => {
  const picture = { type: 'image_url', image_url: { url: png, detail: 'low' } };
  const asked = (model: string): RequestFacts =>
    chatFacts({ model, messages: [{ role: 'user', content: [picture, picture] }] });

  it('may count as any other', () => {
    expect(asked('gpt-4o').promptTokensMost).toBeGreaterThanOrEqual(2 * DEAREST_PICTURE);
    expect(asked('claude-opus-4-7').promptTokensMost).toBeGreaterThanOrEqual(2 * DEAREST_PICTURE);
  });

  it.each([
    ['gpt-4o', 170],
    ['openai/gpt-5.4', 640],
    ['o3', 170],
    ['ft:gpt-4.1:me', 170],
  ])('is held small for %s', (model, pictureTokens) => {
    expect(asked(model)).toMatchObject({ pictureTokens });
    expect(asked(model).inputTokensEstimate).toBeLessThan(pictureTokens + 300);
  });

  it.each([
    ['claude-opus-4-7', 9568],
    ['google/gemini-3-pro', 4480],
  ])('is held like any other for %s, whose maker does not know it', (model, pictureTokens) => {
    expect(asked(model)).toMatchObject({ pictureTokens });
    expect(asked(model).inputTokensEstimate).toBeGreaterThan(pictureTokens);
  });
});
