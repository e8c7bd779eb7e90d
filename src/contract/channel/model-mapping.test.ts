import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapModel, mappingProblem } from './model-mapping.ts';

const mapped = (entries: object, model: string, isKept?: (name: string) => boolean): unknown => {
  const result = mapModel(new Map(Object.entries(entries) as [string, string][]), model, isKept);
  return 'model' in result ? result.model : result;
};

describe('a mapping of models', () => {
  it('follows chains and stops where a name maps to itself or to nothing', () => {
    expect(mapped({ a: 'b', b: 'c' }, 'a')).toBe('c');
    expect(mapped({ a: 'b', b: 'b' }, 'a')).toBe('b');
    expect(mapped({ a: 'b', b: '' }, 'a')).toBe('b');
    expect(mapped({}, 'a')).toBe('a');
  });

  it('puts what the stars stand for into the target, in their order', () => {
    expect(mapped({ 'claude-*-latest': 'claude-*-4-5' }, 'claude-sonnet-latest')).toBe('claude-sonnet-4-5');
    expect(mapped({ '*/*': 'x-*--*' }, 'openai/gpt')).toBe('x-openai--gpt');
    expect(mapped({ 'gpt-*': 'openai/gpt-*' }, 'gpt-5')).toBe('openai/gpt-5');
    expect(mapped({ '*': 'one' }, 'anything')).toBe('one');
    expect(mapped({ 'claude-*': 'claude' }, 'gpt')).toBe('gpt');
  });

  it('takes a whole name before a pattern, and of patterns the one that says most', () => {
    const mapping = { 'gpt-*': 'short', 'gpt-4*': 'longer', 'gpt-4o': 'whole', '*': 'any' };
    expect(['gpt-4o', 'gpt-4x', 'gpt-5', 'o3'].map((name) => mapped(mapping, name))).toEqual([
      'whole',
      'longer',
      'short',
      'any',
    ]);
  });

  it('keeps to a whole name: no pattern changes what it stands for', () => {
    expect(mapped({ 'gpt-4': 'gpt-4-turbo', 'gpt-*': 'openai/gpt-*' }, 'gpt-4')).toBe('gpt-4-turbo');
    expect(mapped({ 'gpt-*': 'short', short: 'whole' }, 'gpt-4')).toBe('whole');
  });

  it('uses a pattern once, so that one that fits its own result grows nothing', () => {
    expect(mapped({ 'a*': 'aa*' }, 'a')).toBe('aa');
    expect(mapped({ 'a*': 'b*', 'b*': 'a*' }, 'ax')).toBe('bx');
  });

  it('leaves a name that is real to itself, unless it is mapped as a whole', () => {
    const isReal = (name: string): boolean => name === 'claude-opus';
    expect(mapped({ 'claude-*': 'claude-sonnet' }, 'claude-opus', isReal)).toBe('claude-opus');
    expect(mapped({ 'claude-*': 'claude-sonnet' }, 'claude-other', isReal)).toBe('claude-sonnet');
    expect(mapped({ 'claude-opus': 'claude-sonnet' }, 'claude-opus', isReal)).toBe('claude-sonnet');
  });

  it('takes a name with a star in it as no name', () => {
    expect(mapped({ 'a-*': 'b' }, 'a-*')).toBe('b');
    expect(mapped({ 'a-*': 'x-*' }, 'a-*')).toBe('x-*');
  });

  it('says where it goes in a circle', () => {
    expect(mapped({ a: 'b', b: 'a' }, 'a')).toEqual({ cycleAt: 'a' });
  });
});

describe('what is saved', () => {
  it.each([
    [
      { a: 'b', b: 'a' },
      { kind: 'circle', model: 'a' },
    ],
    [
      { 'a-*': 'b', b: 'a-1' },
      { kind: 'circle', model: 'a-1' },
    ],
    [{ 'claude-.*': 'claude' }, { kind: 'pattern', model: 'claude-.*' }],
    [{ '^gpt': 'gpt' }, { kind: 'pattern', model: '^gpt' }],
    [{ 'a**': 'b' }, { kind: 'pattern', model: 'a**' }],
    [{ '*a*a*a*a*': 'b' }, { kind: 'pattern', model: '*a*a*a*a*' }],
    [{ a: 'b-*' }, { kind: 'stars', model: 'a' }],
    [{ 'a*': '*-*' }, { kind: 'stars', model: 'a*' }],
    [{ 'gpt-*': 'gpt-4o', 'gpt-4o': 'gpt-4o' }, undefined],
    [{ a: 'b', b: 'c' }, undefined],
  ])('%j', (entries, problem) => {
    expect(mappingProblem(new Map(Object.entries(entries)))).toEqual(problem);
  });

  const name = fc.stringMatching(/^[ab]{1,3}$/);
  const source = fc.oneof(name, fc.stringMatching(/^[ab]{0,2}\*[ab]{0,2}$/));
  const target = fc.oneof(name, fc.stringMatching(/^[ab]{0,2}\*[ab]{0,1}$/));
  const entries = fc.array(fc.tuple(source, target), { maxLength: 8 });

  it('never goes in a circle, whatever is asked and whatever is real', () => {
    fc.assert(
      fc.property(entries, fc.stringMatching(/^[ab*]{0,5}$/), fc.array(name), (given, asked, real) => {
        const mapping = new Map(given);
        fc.pre(mappingProblem(mapping) === undefined);
        expect(mapModel(mapping, asked, (one) => real.includes(one))).not.toHaveProperty('cycleAt');
      }),
      { numRuns: 3000 },
    );
  });

  it('is refused for a circle only where there is one', () => {
    fc.assert(
      fc.property(entries, (given) => {
        const mapping = new Map(given);
        const problem = mappingProblem(mapping);
        fc.pre(problem?.kind === 'circle');
        expect(mapModel(mapping, problem?.model ?? '')).toHaveProperty('cycleAt');
      }),
      { numRuns: 1000 },
    );
  });

  it('may be a chain of thousands, each name of which is followed once', () => {
    const chain = new Map(Array.from({ length: 5000 }, (_, at) => [`m${at}`, `m${at + 1}`]));
    let looks = 0;
    const get = chain.get.bind(chain);
    chain.get = (name) => ((looks += 1), get(name));
    expect(mappingProblem(chain)).toBeUndefined();
    expect(looks).toBeLessThan(20_000);
    chain.set('m5000', 'm17');
    expect(mappingProblem(chain)).toMatchObject({ kind: 'circle' });
  });

  it('gives the same in whatever order it is written, and ends even where it was never checked', () => {
    fc.assert(
      fc.property(entries, name, (given, asked) => {
        const one = new Map(given);
        const other = new Map([...one].toReversed());
        expect(mapModel(other, asked)).toEqual(mapModel(one, asked));
      }),
      { numRuns: 2000 },
    );
  });
});
