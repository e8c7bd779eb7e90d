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

test('a position that is not a number is ignored', () => {
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

test('words that other makers say rest on a page are told with their bytes, in a stream and whole', () => {
  const url = 'https://a.example';
  const said: ChatEvent[] = [
    { type: 'reasoning-delta', choice: 0, text: 'hm' },
    { type: 'text-delta', choice: 0, text: '天气：' },
    { type: 'text-delta', choice: 0, text: '晴 ☀️ to' },
    { type: 'text-delta', choice: 0, text: 'day.' },
    { type: 'citation', choice: 0, url, title: 'A', startIndex: 3, endIndex: 7 },
    { type: 'citation', choice: 0, url, title: 'A', startIndex: 8, endIndex: 13 },
    { type: 'text-delta', choice: 0, begins: true, text: '明天：雨' },
    { type: 'citation', choice: 0, url: 'https://b.example', startIndex: 3, endIndex: 4 },
    { type: 'citation', choice: 0, url: 'https://c.example' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ];
  const cited = [
    [0, '晴 ☀️'],
    [0, 'today'],
    [1, '雨'],
  ];
  const groundingChunks = [
    { web: { uri: url, title: 'A' } },
    { web: { uri: 'https://b.example' } },
    { web: { uri: 'https://c.example' } },
  ];
  interface Grounded {
    readonly content: { readonly parts: { readonly text: string; readonly thought?: boolean }[] };
    readonly groundingMetadata?: {
      readonly groundingSupports: {
        readonly segment: {
          readonly startIndex: number;
          readonly endIndex: number;
          readonly partIndex?: number;
        };
        readonly groundingChunkIndices: number[];
      }[];
    };
  }
  const bytes = (text: string, from: number, to: number) => Buffer.from(text).subarray(from, to).toString();

  const { candidates } = gemini.writeWhole(said) as { candidates: Grounded[] };
  expect(candidates[0]?.groundingMetadata).toMatchObject({ groundingChunks });
  expect(
    candidates[0]?.groundingMetadata?.groundingSupports.map(({ segment, groundingChunkIndices: [page] }) => [
      page,
      bytes(
        candidates[0]?.content.parts[segment.partIndex ?? 0]?.text ?? '',
        segment.startIndex,
        segment.endIndex,
      ),
    ]),
  ).toEqual(cited);

  const writer = gemini.openWriter();
  const chunks = [...said.flatMap((event) => writer.write(event)), ...writer.end()].map(
    ({ data }) => (JSON.parse(data.toString()) as { candidates: Grounded[] }).candidates[0],
  );
  const text = chunks
    .flatMap((chunk) => chunk?.content.parts ?? [])
    .map((part) => (part.thought === true ? '' : part.text))
    .join('');
  expect(chunks.at(-1)?.groundingMetadata).toMatchObject({ groundingChunks });
  expect(
    chunks
      .at(-1)
      ?.groundingMetadata?.groundingSupports.map(({ segment, groundingChunkIndices: [page] }) => [
        page,
        bytes(text, segment.startIndex, segment.endIndex),
      ]),
  ).toEqual(cited);
});

test('the byte of a character is where its text before it ends', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter, maxLength: 9 })), fc.nat(40), (pieces, wanted) => {
      const offsets = new ByteOffsets();
      for (const piece of pieces) offsets.add(piece);
      const text = pieces.join('');
      const whole = Array.from(text).slice(0, wanted).join('');
      expect(offsets.byteAt(whole.length)).toBe(Buffer.byteLength(whole));
      expect(offsets.byteAt(text.length + 1)).toBeUndefined();
    }),
  );
});
