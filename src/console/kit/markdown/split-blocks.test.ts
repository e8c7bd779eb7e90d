import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Blocks, splitBlocks } from './split-blocks.ts';

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
  { maxLength: 60 },
);

const blocksOf = ({ groups }: Blocks): readonly string[] => groups.flat();
const finishedOf = (text: string): readonly string[] => blocksOf(splitBlocks(text)).slice(0, -1);

it('loses nothing: the blocks joined are the text', () => {
  fc.assert(
    fc.property(lines, (all) => {
      const text = all.join('\n');
      expect(blocksOf(splitBlocks(text)).join('\n')).toBe(text);
    }),
  );
});

it('never changes a finished block when more text arrives', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const finished = finishedOf(`${before.join('\n')}\n`);
      const later = finishedOf(`${before.join('\n')}\n${after.join('\n')}`);
      expect(later.slice(0, finished.length)).toEqual(finished);
    }),
  );
});

it('a text that arrives in pieces is split like the whole text, and another text starts over', () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat({ max: 20 })), lines, (all, sizes, others) => {
      const text = all.join('\n');
      let split = splitBlocks('');
      let at = 0;
      for (const size of [...sizes, text.length]) {
        at = Math.min(text.length, at + size);
        split = splitBlocks(text.slice(0, at), split);
      }
      expect(split).toEqual(splitBlocks(text));
      expect(splitBlocks(others.join('\n'), split)).toEqual(splitBlocks(others.join('\n')));
    }),
  );
});

it('changes only the last group of a long text when more arrives', () => {
  const long = splitBlocks('a paragraph\n\n'.repeat(500));
  const longer = splitBlocks(`${long.text}and more`, long);
  const kept = longer.groups.filter((group) => long.groups.includes(group));
  expect(longer.groups.length - kept.length).toBe(1);
  expect(longer.groups.at(-1)?.length).toBeLessThan(20);
});

it('keeps code with blank lines, and a list with them, in one block', () => {
  expect(finishedOf('```\na\n\nb\n```\n\nafter')).toEqual(['```\na\n\nb\n```\n']);
  expect(finishedOf('- a\n\n- b\n\nafter')).toEqual(['- a\n\n- b\n']);
});
