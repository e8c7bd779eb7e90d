import fc from 'fast-check';
import { expect, it } from 'vitest';
import { capturesOf, globOf } from './glob.ts';
import { firstFit } from './glob-table.ts';

const pattern = fc.stringMatching(/^[ab]{0,3}(?:\*[ab]{0,3}){0,3}$/);

it('finds what trying one pattern after the other finds', () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { maxLength: 30 }),
      fc.array(fc.stringMatching(/^[ab]{0,8}$/), { minLength: 1, maxLength: 5 }),
      (patterns, texts) => {
        const items = patterns.map((source) => ({ source, glob: globOf(source) }));
        const find = firstFit(items);
        for (const text of texts) {
          const item = items.find(({ glob }) => capturesOf(glob, text) !== undefined);
          expect(find(text)).toEqual(item && { item, captures: capturesOf(item.glob, text) });
        }
      },
    ),
    { numRuns: 3000 },
  );
});

it('tries few of thousands', () => {
  let tried = 0;
  /** Counts how often its literals are read for a comparison. */
  const counted = (source: string) => {
    const glob = globOf(source);
    return {
      glob: new Proxy(glob, { get: (of, name) => (name === 'at' && (tried += 1), Reflect.get(of, name)) }),
    };
  };
  for (const shape of ['vendor-NUMBER-*', '*-of-NUMBER', '*/NUMBER-x/*', 'vendor/*-NUMBER']) {
    const items = Array.from({ length: 5000 }, (_, at) =>
      counted(shape.replace('NUMBER', String(10_000 + at))),
    );
    const find = firstFit(items);
    tried = 0;
    const text = shape.replace('NUMBER', '12345').replaceAll('*', 'any');
    expect(find(text)?.item).toBe(items[2345]);
    expect(tried).toBeLessThan(10);
  }
});
