import { expect, it } from 'vitest';
import { facts as geminiFacts } from '../gemini/facts.ts';
import { chatFacts } from '../openai-chat/facts.ts';
import { messagesFacts } from '../anthropic-messages/facts.ts';
import { filmSize } from './film-length.ts';
import { box, mp4Of, type ToldLength, webmOf } from './testing/films.ts';

/** A film that is sent along is held as long as any part of it says; where that cannot be true, as one of any length. */

const secondsOf = (film: Buffer): number | undefined => filmSize(film.toString('base64'), [])?.seconds;

it.each<[string, ToldLength, number]>([
  ['header', { film: 60, samples: [[10, 1]] }, 60],
  ['track', { film: 1, track: 60, samples: [[10, 1]] }, 60],
  [
    'samples',
    {
      film: 1,
      track: 1,
      samples: [
        [50, 1],
        [1, 10],
      ],
    },
    60,
  ],
  ['parts, of which some are shown twice', { film: 1, samples: [[10, 1]], edits: [20, 20, 20] }, 60],
  ['fragments', { fragments: [20, 20, 20] }, 60],
])('an MP4 is as long as its %s', (_, told, seconds) => {
  expect(secondsOf(mp4Of(told))).toBe(seconds);
});

it('a WebM is as long as its header or its last picture says', () => {
  expect(secondsOf(webmOf([0, 1, 2], 60))).toBe(60);
  expect(secondsOf(webmOf([0, 30, 60]))).toBe(60);
  expect(secondsOf(webmOf([0, 60, 30], 1))).toBe(60);
});

it.each<[string, Buffer]>([
  ['no length', mp4Of({ samples: [[100, 0]] })],
  ['more pictures than it has time for', mp4Of({ film: 1, samples: [[9000, 0]] })],
  ['more bytes', mp4Of({ film: 1, samples: [[9, 0]], rest: [Buffer.alloc(14_000_000)] })],
  ['a second film', mp4Of({ film: 1, samples: [[9, 0]], rest: [box('moov')] })],
  [
    'a film in a box that is not looked into',
    mp4Of({ film: 1, samples: [[9, 0]], rest: [box('skip', box('moov'))] }),
  ],
  ['a packed head', Buffer.concat([box('ftyp'), box('moov', box('cmov'))])],
  ['half a head', mp4Of({ film: 1, samples: [[9, 0]] }).subarray(0, 3300)],
  ['no picture', webmOf([], 60)],
  ['half a block', webmOf([0, 1], 60).subarray(0, -2)],
])('of a film with %s nobody can tell', (_, film) => {
  expect(secondsOf(film)).toBeUndefined();
});

const data = mp4Of({ film: 60, samples: [[60, 1]] }).toString('base64');
const gemini = (part: object, model = 'gemini-3-pro') =>
  geminiFacts({ model, contents: [{ parts: [{ inlineData: { mimeType: 'video/mp4', data }, ...part }] }] });
const chat = (part: object, model = 'google/gemini-2.5-flash') =>
  chatFacts({ model, messages: [{ role: 'user', content: [part] }] });
const url = { url: `data:video/mp4;base64,${data}` };

it('a model of Google’s sees a picture a second, or as many as are asked for', () => {
  for (const facts of [gemini({}), chat({ type: 'video_url', video_url: url })]) {
    expect(facts).toMatchObject({ soundTokens: 60 * 32, pictureTokens: 61 * 300 });
    expect(facts.mayFillContext).toBeUndefined();
    expect(facts.inputTokensEstimate).toBeLessThan(21_000);
  }
  const often = 24 * 60 * 300;
  for (const fps of [24, '24', 'often']) {
    expect(gemini({ videoMetadata: { fps } }).pictureTokens).toBeGreaterThan(often);
    expect(gemini({ video_metadata: { fps } }).pictureTokens).toBeGreaterThan(often);
    expect(chat({ type: 'video_url', video_url: { ...url, fps } }).pictureTokens).toBeGreaterThan(often);
  }
  expect(gemini({ videoMetadata: { fps: 0.1 } }).pictureTokens).toBe(61 * 300);
});

it('no film is held as more than a model reads, and other models may fill their context with it', () => {
  expect(gemini({ videoMetadata: { fps: 1e6 } }).inputTokensEstimate).toBeLessThan(1_050_000);
  for (const facts of [
    gemini({}, 'other'),
    chat({ type: 'video_url', video_url: url }, 'qwen3-vl-plus'),
    messagesFacts({
      model: 'claude-opus-5',
      max_tokens: 1,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'base64', data } }] }],
    }),
  ])
    expect(facts.mayFillContext).toBe('files');
});
