import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '#core/testing/any-character.ts';
import { InputInPieces } from './input-in-pieces.ts';

const cutAt = (text: string, cuts: readonly number[]): string[] => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
};

const spelled = fc
  .tuple(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.constantFrom('plain', 'spaced', 'escaped'))
  .map(([text, how]) => {
    const json = JSON.stringify({ input: text }, undefined, how === 'spaced' ? 2 : undefined);
    const escaped = json.replace(
      /[^ -~\n]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return { text, json: how === 'escaped' ? escaped : json };
  });

describe('a free text inside JSON', () => {
  it('comes out the same wherever its JSON is cut, and no half characters come', () => {
    fc.assert(
      fc.property(spelled, fc.array(fc.nat(), { maxLength: 8 }), ({ text, json }, cuts) => {
        const input = new InputInPieces();
        const pieces = cutAt(json, cuts).map((piece) => input.add(piece));
        expect(input.isKnown).toBe(true);
        expect(pieces.join('')).toBe(text);
        expect(input.text).toBe(text);
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(text.isWellFormed());
      }),
      { numRuns: 500 },
    );
  });

  it('arrives while it is written, not when it is whole', () => {
    const input = new InputInPieces();
    const pieces = ['{"inp', 'ut": "*** Beg', 'in\\', 'nPatch \\ud8', '3d', '\\ude00', ' end"', '}'];
    expect(pieces.map((piece) => input.add(piece))).toEqual([
      '',
      '*** Beg',
      'in',
      '\nPatch ',
      '',
      '😀',
      ' end',
      '',
    ]);
  });

  it('that was cut off in the middle is what came of it', () => {
    const input = new InputInPieces();
    input.add('{"input":"half a \\');
    expect([input.isKnown, input.text]).toEqual([true, 'half a ']);
  });

  it('is not guessed if the JSON has another form', () => {
    for (const other of ['{"patch":"x"}', '"x"', 'just text', '{"a":1,"input":"x"}']) {
      const input = new InputInPieces();
      expect([input.add(other), input.isKnown]).toEqual(['', false]);
    }
  });
});
