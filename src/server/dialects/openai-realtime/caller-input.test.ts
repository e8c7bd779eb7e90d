import { describe, expect, test } from 'vitest';
import { inputOf, noInput, unpricedWorkSaid } from './caller-input.ts';

const PCM = 48_000;
const TELEPHONE = 8000;
const said = (message: unknown, bytesPerSecond = PCM) =>
  inputOf(Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)), bytesPerSecond);
/** A minute of sound in base64. */
const minute = (bytesPerSecond: number) => 'A'.repeat((60 * bytesPerSecond * 4) / 3);
const WORDS = 'word '.repeat(2000);

describe('what a caller says to a conversation', () => {
  test.each([
    ['instructions', { type: 'session.update', session: { instructions: WORDS } }],
    ['tools', { type: 'session.update', session: { tools: [{ name: 'f', description: WORDS }] } }],
    [
      'an item',
      {
        type: 'conversation.item.create',
        item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: WORDS }] },
      },
    ],
    [
      'the result of a tool',
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: 'c', output: WORDS },
      },
    ],
    [
      'what an answer is asked for with',
      {
        type: 'response.create',
        response: { input: [{ type: 'message', content: [{ type: 'input_text', text: WORDS }] }] },
      },
    ],
  ])('is estimated by its text: %s', (_, message) => {
    const { textTokens, audioTokens } = said(message);
    // Some 2500 tokens, taken for twice as many.
    expect(textTokens).toBeGreaterThan(5000);
    expect(textTokens).toBeLessThan(5200);
    expect(audioTokens).toBe(0);
  });

  test.each([
    ['24 kHz', PCM],
    ['the telephone’s', TELEPHONE],
  ])('is estimated by its length where it is sound: %s', (_, bytesPerSecond) => {
    const append = { type: 'input_audio_buffer.append', audio: minute(bytesPerSecond) };
    const item = {
      type: 'conversation.item.create',
      item: { type: 'message', content: [{ type: 'input_audio', audio: minute(bytesPerSecond) }] },
    };
    for (const message of [append, item, `{"audio":"${append.audio}","type":"${append.type}"}`]) {
      const { textTokens, audioTokens } = said(message, bytesPerSecond);
      expect(Math.round(audioTokens / 10)).toBe(100);
      expect(textTokens).toBeLessThan(60);
    }
  });

  test('counts as text even if it claims to be sound', () => {
    const item = JSON.stringify({ content: [{ type: 'input_text', text: WORDS }] });
    for (const message of [
      `{"type":"input_audio_buffer.append","type":"conversation.item.create","item":${item}}`,
      String.raw`{"type":"input_audio_buffer.append","t\u0079pe":"conversation.item.create","item":${item}}`,
      `{"event_id":"input_audio_buffer.append","type":"conversation.item.create","item":${item}}`,
      `{"type":"session.update","session":{"tools":[{"type":"input_audio","audio":"${WORDS}"}]}}`,
    ])
      expect(said(message).textTokens).toBeGreaterThan(5000);
  });

  test('is estimated by its size where it is a picture, which may be dearer than words', () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    const item = { type: 'conversation.item.create', item: { type: 'message', content: [picture] } };
    const { textTokens, pictureTokens } = said(item);
    expect(pictureTokens).toBeGreaterThanOrEqual(2000);
    expect(textTokens).toBeLessThan(100);
  });

  test('is ignored where an upstream could not read it either', () => {
    expect(said('not JSON at all')).toEqual(noInput);
    expect(said('[1]')).toEqual(noInput);
  });
});

describe('work without a price in a conversation', () => {
  test.each<[string | undefined, object]>([
    [
      'session.tools.1',
      { type: 'session.update', session: { tools: [{ type: 'function' }, { type: 'web_search' }] } },
    ],
    ['response.tools.0', { type: 'response.create', response: { tools: [{ type: 'file_search' }] } }],
    [
      undefined,
      { type: 'session.update', session: { tools: [{ type: 'function' }, { type: 'mcp' }, { name: 'f' }] } },
    ],
    [undefined, { type: 'response.create' }],
    [undefined, { type: 'input_audio_buffer.append', audio: 'AAAA' }],
  ])('%s is found', (param, message) => {
    expect(unpricedWorkSaid(Buffer.from(JSON.stringify(message)))).toBe(param);
  });
});
