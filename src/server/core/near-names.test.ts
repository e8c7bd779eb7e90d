import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearNames } from './near-names.ts';
import { expectAlike } from './testing/thread-time.ts';

const names = ['claude-opus-4-5', 'claude-sonnet-4-5', 'gpt-5', 'gpt-5-mini', 'gpt-4o', 'text-embedding-3'];

const levenshtein = (from: string, to: string): number => {
  if (from === '' || to === '') return from.length + to.length;
  if (from[0] === to[0]) return levenshtein(from.slice(1), to.slice(1));
  const [rest, other] = [from.slice(1), to.slice(1)];
  return 1 + Math.min(levenshtein(rest, other), levenshtein(rest, to), levenshtein(from, other));
};

describe('names near the one that was asked for', () => {
  test.each([
    ['gpt5', ['gpt-5']],
    ['gpt-5-mni', ['gpt-5-mini', 'gpt-5']],
    ['gtp-4o', ['gpt-4o']],
    ['GPT-5', ['gpt-5', 'gpt-5-mini']],
    ['openai/gpt-5', ['gpt-5', 'gpt-5-mini']],
    ['claude-sonnet-4-5-20250929', ['claude-sonnet-4-5']],
    ['claude-sonnet-4', ['claude-sonnet-4-5']],
    ['nothing-like-it-at-all', []],
    ['', []],
    ['x'.repeat(500), []],
  ])('%s: %j', (asked, near) => {
    expect(nearNames(asked, names)).toEqual(near);
  });

  test('are those within a few edits, as a full count finds them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab]{3,8}$/), fc.stringMatching(/^[ab]{3,8}$/), (asked, name) => {
        const few = Math.min(4, Math.floor(asked.length / 3));
        const isMeant = levenshtein(asked, name) <= few || asked.startsWith(name) || name.startsWith(asked);
        expect(nearNames(asked, [name])).toEqual(isMeant ? [name] : []);
      }),
    );
  });

  test('are found in a bounded time, whatever is asked for among whatever number', () => {
    const search = (length: number): (() => void) => {
      const many = Array.from({ length }, (_, index) => `model-${'x'.repeat(60)}-${String(index)}`);
      return () => expect(nearNames(`model-${'x'.repeat(58)}y-1`, many)).toHaveLength(3);
    };
    expectAlike([search(500), search(50_000)], 4);
  });
});
