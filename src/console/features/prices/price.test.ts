import { describe, expect, it } from 'vitest';
import { dollarsOfSet, multiplied, type PriceDraft, type PricedModel, setOf, textsIn } from './price.ts';

const PER_RATIO = 2;
const unset = {
  price: null,
  ratio: null,
  completion_ratio: null,
  cache_ratio: null,
  create_cache_ratio: null,
};
const listed = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
const usual: PricedModel['usual'] = { model: 1.5, completion: 5, cache: 0.1, create_cache: 1.25 };
const unknown: PricedModel['usual'] = { model: null, completion: 1, cache: 1, create_cache: 1.25 };
const draft = (
  texts: Partial<PriceDraft['texts']>,
  unit: PriceDraft['unit'] = 'usd',
  mode: PriceDraft['mode'] = 'tokens',
): PriceDraft => ({
  mode,
  unit,
  texts: { input: '', output: '', cacheRead: '', cacheWrite: '', call: '', ...texts },
});

describe('a price typed in dollars', () => {
  it('becomes ratios; empty fields follow the catalogue', () => {
    expect(setOf(draft({ input: '5', output: '30' }), usual, PER_RATIO)).toEqual({
      set: { ...unset, ratio: 2.5, completion_ratio: 6 },
      problems: {},
    });
    // Only the output is set: it is a share of the catalogue's input.
    expect(setOf(draft({ output: '12' }), usual, PER_RATIO).set).toEqual({ ...unset, completion_ratio: 4 });
    expect(setOf(draft({}), usual, PER_RATIO)).toEqual({ set: unset, problems: {} });
  });

  it('reads back as the typed dollars, even if the ratio is a repeating decimal', () => {
    const { set } = setOf(draft({ input: '0.27', output: '1.1', cacheRead: '0.07' }), unknown, PER_RATIO);
    expect(textsIn(set, 'usd', unknown, PER_RATIO)).toMatchObject({
      input: '0.27',
      output: '1.1',
      cacheRead: '0.07',
      cacheWrite: '',
    });
    expect(dollarsOfSet(set, unknown, PER_RATIO)).toMatchObject({
      input: 0.27,
      output: 1.1,
      cacheRead: 0.07,
    });
  });

  it('is refused if it is not a number, has no input price, or is relative to a free input', () => {
    expect(setOf(draft({ input: '-1', output: 'x' }), usual, PER_RATIO).problems).toEqual({
      input: 'number',
      output: 'number',
    });
    expect(setOf(draft({ output: '3' }), unknown, PER_RATIO).problems).toEqual({ input: 'inputNeeded' });
    expect(setOf(draft({ input: '0', output: '3' }), unknown, PER_RATIO).problems).toEqual({
      output: 'zeroInput',
    });
  });

  it('a price per call has no other prices beside it', () => {
    expect(setOf(draft({ call: '0.04', input: '5' }, 'usd', 'call'), usual, PER_RATIO).set).toEqual({
      ...unset,
      price: 0.04,
    });
    expect(setOf(draft({}, 'usd', 'call'), usual, PER_RATIO).problems).toEqual({ call: 'inputNeeded' });
  });

  it('ratios are stored as typed', () => {
    expect(
      setOf(draft({ input: '1.5', output: '5', cacheRead: '0.1' }, 'ratio'), usual, PER_RATIO).set,
    ).toEqual({
      ...unset,
      ratio: 1.5,
      completion_ratio: 5,
      cache_ratio: 0.1,
    });
  });
});

const model: PricedModel = {
  model: 'm',
  version: 1,
  origin: 'catalogue',
  usd: listed,
  set: unset,
  ratios: { model: 1.5, completion: 5, cache: 0.1, create_cache: 1.25 },
  usual,
  catalogue: listed,
  output_as_input: false,
  variants: 0,
  groups: [],
};
const after = (part: Parameters<typeof multiplied>[2], factor: number, row = model) => {
  const set = multiplied(row, factor, part);
  return set && dollarsOfSet(set, usual, PER_RATIO);
};

describe('a price that is multiplied', () => {
  it('changes only the chosen parts, in dollars', () => {
    expect(after('all', 1.2)).toEqual({ input: 3.6, output: 18, cacheRead: 0.36, cacheWrite: 4.5 });
    expect(after('input', 2)).toEqual({ input: 6, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
    expect(after('output', 0.5)).toEqual({ input: 3, output: 7.5, cacheRead: 0.3, cacheWrite: 3.75 });
    expect(after('cache', 2)).toEqual({ input: 3, output: 15, cacheRead: 0.6, cacheWrite: 7.5 });
  });

  it('leaves out models without such a price', () => {
    expect(multiplied({ ...model, origin: 'unset', usd: null, ratios: null }, 2, 'all')).toBeUndefined();
    const call: PricedModel = { ...model, usd: { call: 0.04 }, ratios: null };
    expect(multiplied(call, 2, 'all')).toEqual({ ...unset, price: 0.08 });
    expect(multiplied(call, 2, 'output')).toBeUndefined();
    const plain: PricedModel = { ...model, usd: { ...listed, cache_read: null, cache_write: null } };
    expect(multiplied(plain, 2, 'cache')).toBeUndefined();
  });

  it('leaves out free models, whose price does not change', () => {
    expect(multiplied({ ...model, usd: { call: 0 }, ratios: null }, 2, 'all')).toBeUndefined();
    const free = { input: 0, output: 0, cache_read: 0, cache_write: null };
    expect(multiplied({ ...model, usd: free }, 2, 'all')).toBeUndefined();
    const embeds: PricedModel = { ...model, usd: { ...listed, output: 0, cache_read: 0, cache_write: null } };
    expect(multiplied(embeds, 2, 'output')).toBeUndefined();
    expect(multiplied(embeds, 2, 'cache')).toBeUndefined();
    expect(multiplied(embeds, 2, 'all')).toBeDefined();
  });
});
