import { expect, it } from 'vitest';
import { addRow, batchProblem, filled, isCell, isSet, type RatioRow, rowsOf, textsOf } from './ratio-rows.ts';

const row = (name: string, changes: Partial<RatioRow> = {}): RatioRow => ({
  name,
  price: '',
  ratio: '',
  completionRatio: '',
  ...changes,
});

it('reads every model of the three options and writes them back', () => {
  const texts = {
    ModelPrice: '{"mj_imagine": 0.1}',
    ModelRatio: '{"gpt-4o": 1.25, "o3": 1}',
    CompletionRatio: '{"gpt-4o": 4}',
  };
  const rows = rowsOf(texts);
  expect(rows).toEqual([
    row('gpt-4o', { ratio: '1.25', completionRatio: '4' }),
    row('mj_imagine', { price: '0.1' }),
    row('o3', { ratio: '1' }),
  ]);
  expect(Object.values(textsOf(rows)).map((text) => JSON.parse(text))).toEqual([
    { mj_imagine: 0.1 },
    { 'gpt-4o': 1.25, o3: 1 },
    { 'gpt-4o': 4 },
  ]);
});

it('keeps a price or ratios, never both', () => {
  const texts = textsOf([row('a', { price: '0.5', ratio: '2', completionRatio: '3' })]);
  expect([texts.ModelPrice, texts.ModelRatio, texts.CompletionRatio].map((text) => JSON.parse(text))).toEqual(
    [{ a: 0.5 }, {}, {}],
  );
});

it('accepts numbers and nothing in a cell', () => {
  expect(['', '0', '1.25', '37.5'].map(isCell)).toEqual([true, true, true, true]);
  expect(['1.', 'x', '-1', '1e3', '1,5'].map(isCell)).toEqual([false, false, false, false, false]);
});

it('adds a model only under a new name', () => {
  expect(addRow([row('a')], row('a'))).toBe('visual.nameExists');
  expect(addRow([row('a')], row('  '))).toBe('visual.nameNeeded');
  expect(addRow([row('a')], row('b', { ratio: 'x' }))).toBe('wrong.number');
  expect(addRow([row('a')], row(' b ', { ratio: '1' }))).toEqual([row('b', { ratio: '1' }), row('a')]);
});

it('reports missing batch values in the order of the specification', () => {
  const none = { fill: '', ratio: '', completionRatio: '' };
  expect(batchProblem('ratio', none, 0)).toBe('visual.chooseFirst');
  expect(batchProblem('ratio', none, 1)).toBe('visual.fillNeeded');
  expect(batchProblem('price', { ...none, fill: 'x' }, 1)).toBe('visual.numberNeeded');
  expect(batchProblem('both', { ...none, ratio: '1' }, 1)).toBe('visual.bothNeeded');
  expect(batchProblem('both', { ...none, ratio: '1', completionRatio: 'x' }, 1)).toBe('visual.numberNeeded');
  expect(batchProblem('both', { ...none, ratio: '1', completionRatio: '2' }, 1)).toBe(undefined);
});

it('a batch price clears the ratios, a batch ratio clears the price', () => {
  const values = { fill: '2', ratio: '3', completionRatio: '4' };
  const full = row('a', { price: '1', ratio: '1', completionRatio: '1' });
  expect(filled(full, 'price', values)).toEqual(row('a', { price: '2' }));
  expect(filled(full, 'ratio', values)).toEqual(row('a', { ratio: '2', completionRatio: '1' }));
  expect(filled(full, 'completionRatio', values)).toEqual(row('a', { ratio: '1', completionRatio: '2' }));
  expect(filled(full, 'both', values)).toEqual(row('a', { ratio: '3', completionRatio: '4' }));
});

it('a model counts as set with a price or a ratio, not with an output ratio alone', () => {
  expect(
    [{ price: '0' }, { ratio: '1' }, { completionRatio: '2' }, {}].map((set) => isSet(row('a', set))),
  ).toEqual([true, true, false, false]);
});
