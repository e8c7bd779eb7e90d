import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { anyCharacter } from '#core/testing/any-character.ts';
import { ByteOffsets } from './byte-offsets.ts';
import { gemini } from '../gemini.ts';

const citationsIn = (events: readonly ChatEvent[]) => events.filter(({ type }) => type === 'citation');
const web = (uri: string, title: string) => ({ web: { uri, title } });

test('the words that rest on a page are counted in characters, where Google counts bytes, in a stream too', () => {
  const answer = '天气：晴 ☀️ today';
  const startIndex = Buffer.byteLength('天气：');
  const groundingMetadata = {
    groundingChunks: [
      web('https://a.example', 'A'),
      web('https://b.example', 'B'),
      web('https://c.example', 'C'),
    ],
    groundingSupports: [
      { segment: { endIndex: startIndex, text: '天气：' }, groundingChunkIndices: [1] },
      {
        segment: { startIndex, endIndex: Buffer.byteLength(answer), text: '晴 ☀️ today' },
        groundingChunkIndices: [0, 1],
      },
    ],
  };
  const piece = (text: string, beside: object = {}) => ({
    candidates: [{ index: 0, content: { parts: [{ text }] }, ...beside }],
  });
  const expected = [
    { type: 'citation', choice: 0, url: 'https://b.example', title: 'B', startIndex: 0, endIndex: 3 },
    {
      type: 'citation',
      choice: 0,
      url: 'https://a.example',
      title: 'A',
      startIndex: 3,
      endIndex: answer.length,
    },
    {
      type: 'citation',
      choice: 0,
      url: 'https://b.example',
      title: 'B',
      startIndex: 3,
      endIndex: answer.length,
    },
    { type: 'citation', choice: 0, url: 'https://c.example', title: 'C' },
  ];
  expect(citationsIn(gemini.readWhole(piece(answer, { groundingMetadata, finishReason: 'STOP' })))).toEqual(
    expected,
  );
  const { groundingChunks } = groundingMetadata;
  const pieces = [
    piece(answer.slice(0, 4), { groundingMetadata: { groundingChunks } }),
    piece(answer.slice(4), { groundingMetadata, finishReason: 'STOP' }),
  ];
  expect(citationsIn(gemini.readWhole(pieces))).toEqual(expected);
});

test('a character is found at its byte, however the text is cut', () => {
  const piece = fc.string({ unit: anyCharacter, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.nat(200), (pieces, dice) => {
      const offsets = new ByteOffsets();
      for (const piece of pieces) offsets.add(piece);
      const characters = Array.from(pieces.join(''));
      const before = characters.slice(0, dice % (characters.length + 1)).join('');
      expect(offsets.characterAt(Buffer.byteLength(before))).toBe(before.length);
      expect(offsets.characterAt(offsets.bytes + 1)).toBeUndefined();
    }),
  );
});

test('a place that is no number is none', () => {
  const odd = { toString: 1, valueOf: 1 };
  const groundingMetadata = {
    groundingChunks: [web('https://a.example', 'A')],
    groundingSupports: [{ segment: { startIndex: odd, endIndex: odd }, groundingChunkIndices: [0, odd] }],
  };
  const whole = { candidates: [{ index: 0, content: { parts: [{ text: 'hi' }] }, groundingMetadata }] };
  expect(citationsIn(gemini.readWhole(whole))).toEqual([
    { type: 'citation', choice: 0, url: 'https://a.example', title: 'A' },
  ]);
});
