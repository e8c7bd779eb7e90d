import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { inShortPieces } from './short-pieces.ts';

const letters = fc.constantFrom('a', '"', '\u{1F600}', '中', '\\');
const long = fc.tuple(letters, fc.string({ unit: 'binary', maxLength: 3 })).map(([letter, odd]) => {
  const text = odd + letter.repeat(200_000);
  return text.toWellFormed();
});

test.each<[string, (text: string) => ChatEvent]>([
  ['text', (text) => ({ type: 'text-delta', choice: 1, text })],
  ['a thought', (text) => ({ type: 'reasoning-delta', choice: 0, text })],
  ['a refusal', (text) => ({ type: 'refusal-delta', choice: 0, text })],
  ['arguments', (text) => ({ type: 'tool-call-delta', choice: 0, index: 2, argumentsText: text })],
])('the pieces of %s add up to it, and none splits a character', (_, eventOf) => {
  fc.assert(
    fc.property(long, (text) => {
      const pieces = inShortPieces(eventOf(text));
      const texts = pieces.map((piece) =>
        'text' in piece ? piece.text : piece.type === 'tool-call-delta' ? piece.argumentsText : '',
      );
      expect(pieces.length).toBeGreaterThan(1);
      expect(texts.join('') === text).toBe(true);
      expect(texts.every((piece) => piece.isWellFormed() && piece.length <= 131_072)).toBe(true);
      expect(pieces.map((piece, at) => ({ ...piece, ...eventOf(texts[at] ?? '') }))).toEqual(pieces);
    }),
    { numRuns: 10, examples: [[`a${'\u{1F600}'.repeat(200_000)}`]] },
  );
});

test('a block begins once, and a text with token probabilities is not cut', () => {
  const text = 'x'.repeat(300_000);
  const begun = inShortPieces({ type: 'text-delta', choice: 0, text, begins: true });
  expect(begun.map((piece) => 'begins' in piece)).toEqual([true, false, false]);
  expect(inShortPieces({ type: 'text-delta', choice: 0, text, logprobs: [] })).toHaveLength(1);
});
