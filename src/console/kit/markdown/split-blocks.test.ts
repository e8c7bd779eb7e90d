import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitBlocks } from './split-blocks.ts';

const lines = fc.array(
  fc.constantFrom(
    'text',
    '',
    '```ts',
    '```',
    '~~~',
    '- item',
    '  more',
    '1. one',
    '# head',
    '> quote',
    '    code',
  ),
  { maxLength: 30 },
);

it('loses nothing: the blocks joined are the text', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const text = all.join('\n');
      const { finished, open } = splitBlocks(text);
      expect([...finished, open].join('\n')).toBe(text);
    }),
  );
});

it('never changes a finished block when more text arrives', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const { finished } = splitBlocks(`${before.join('\n')}\n`);
      const later = splitBlocks(`${before.join('\n')}\n${after.join('\n')}`).finished;
      expect(later.slice(0, finished.length)).toEqual(finished);
    }),
  );
});

it('keeps code with blank lines, and a list with them, in one block', () => {
  expect(splitBlocks('```\na\n\nb\n```\n\nafter').finished).toEqual(['```\na\n\nb\n```\n']);
  expect(splitBlocks('- a\n\n- b\n\nafter').finished).toEqual(['- a\n\n- b\n']);
});
