import { expect, test } from 'vitest';
import { channelCost, modelCost as costOfModel } from '#contract/channel/channel-cost.ts';
import { allowanceProblems, type AllowanceRow, emptyAllowance, givenToday } from './allowance-rows.ts';
import {
  costRow,
  emptyRow,
  exampleCost,
  FURTHER_PRICES,
  furtherText,
  isTwice,
  modelCost,
  readCost,
  withCost,
} from './channel-cost.ts';

const saved = {
  idle_timeout_ms: 9000,
  cost: {
    currency: 'CNY',
    factor: 0.8,
    models: {
      a: { input: 2, output: 8, cache_read: 0.2, audio_input: 5, dimensions: { tiers: { flex: 0.5 } } },
      b: { call: 0, dimensions: { media: { seconds: { usual: 5 } } } },
    },
    tools: { web_search: 8, file_search: 0 },
    allowances: [
      { name: 'minis', models: ['*-mini', 'b'], of: 'tokens', amount: 2_500_000, by: 'name' },
      { name: 'trial', models: ['*'], of: 'dollars', amount: 0.5, zone: 'America/Los_Angeles' },
    ],
  },
};

test('costs survive a round trip through the form, including prices without a field and free allowances', () => {
  const draft = readCost(JSON.stringify(saved));
  expect(draft).toMatchObject({
    currency: 'CNY',
    factor: 0.8,
    rows: [
      { model: 'a', input: 2, output: 8, cacheRead: 0.2, others: { audio_input: 5 } },
      { model: 'b', call: 0 },
    ],
    tools: [
      { tool: 'web_search', price: 8 },
      { tool: 'file_search', price: 0 },
    ],
  });
  expect(draft && JSON.parse(withCost(JSON.stringify(saved), draft))).toEqual(saved);
});

test('the server accepts what the form writes, and an empty form leaves no cost in the settings', () => {
  const draft = {
    currency: ' cny ',
    factor: 0.5,
    rows: [{ ...emptyRow, model: ' m ', input: 1, output: 2 }, emptyRow],
    tools: [{ tool: 'web_search' as const, price: undefined }],
    allowances: [{ ...emptyAllowance, name: ' a ', models: ['m'], amount: 5 }, emptyAllowance],
  };
  const setting = JSON.parse(withCost('', draft)) as { cost: unknown };
  expect(channelCost.parse(setting.cost)).toEqual({
    currency: 'CNY',
    factor: 0.5,
    models: { m: { input: 1, output: 2 } },
    allowances: [{ name: 'a', models: ['m'], of: 'tokens', amount: 5 }],
  });
  const nothing = { currency: '', factor: undefined, rows: [], tools: [], allowances: [] };
  expect(withCost(JSON.stringify({ cost: { factor: 1 } }), nothing)).toBe('');
  expect(JSON.parse(withCost(JSON.stringify(saved), nothing))).toEqual({ idle_timeout_ms: 9000 });
  expect(readCost('{"cost"')).toBeUndefined();
});

test('every price of a model that the server knows has a field', () => {
  const [tokens, perCall] = costOfModel.options;
  const names = Object.keys(tokens.shape).filter((name) => name !== 'dimensions');
  expect(names.toSorted()).toEqual(['cache_read', 'input', 'output', ...FURTHER_PRICES].toSorted());
  expect(Object.keys(perCall.shape)).toEqual(['call', 'dimensions']);
  const row = costRow('m', Object.fromEntries(names.map((name) => [name, 1])));
  expect(furtherText(row, (key) => key).split(' · ')).toEqual(
    FURTHER_PRICES.map((name) => `cost.price.${name} 1`),
  );
});

test('what depends on seconds is left to a price per call', () => {
  const row = costRow('m', {
    call: 1,
    dimensions: { media: { seconds: { usual: 5 } }, tiers: { flex: 0.5 } },
  });
  expect(modelCost({ ...row, call: undefined, input: 1, output: 2 })).toEqual({
    input: 1,
    output: 2,
    dimensions: { tiers: { flex: 0.5 } },
  });
});

/** The costs that are stored for some allowances. */
const costOf = (allowances: readonly AllowanceRow[]): unknown =>
  (
    JSON.parse(withCost('', { currency: '', factor: 1, rows: [], tools: [], allowances })) as {
      cost: unknown;
    }
  ).cost;

test('an allowance shows what was given of it today once it is saved under that name and unit', () => {
  const today = [{ name: 'a', of: 'calls' as const, given: 3, amount: 9 }];
  const row = { ...emptyAllowance, name: 'a', models: ['m'], of: 'calls' as const, amount: 5 };
  expect(givenToday(row, today)).toBe(today[0]);
  expect(givenToday({ ...row, of: 'tokens' }, today)).toBeUndefined();
  expect(givenToday({ ...row, name: 'b' }, today)).toBeUndefined();
});

test('each field of an allowance that the server would refuse is known; an empty row is none', () => {
  const row = { ...emptyAllowance, name: 'a', models: ['m'], amount: 5 };
  const wrong = [
    { ...row, name: ' ' },
    { ...row, name: 'b', models: [] },
    { ...row, name: 'c', amount: 0.5 },
  ];
  const more = [
    { ...row, name: 'd', of: 'dollars' as const, amount: 0.5 },
    { ...row, name: ' a ' },
    emptyAllowance,
  ];
  const amountless = { ...row, name: 'e', of: 'dollars' as const, amount: undefined };
  const rows = [row, ...wrong, ...more, amountless];
  const expected = [
    {},
    { name: 'name' },
    { models: 'models' },
    { amount: 'amount' },
    {},
    { name: 'taken' },
    {},
  ];
  expect(allowanceProblems(rows)).toEqual([...expected, { amount: 'dollars' }]);
  const refused = rows.map((one) => channelCost.safeParse(costOf([row, one])).success);
  expect(refused).toEqual([false, false, false, false, true, false, true, false]);
});

test('the example costs 100,000 input and 2000 output tokens, or one call; it has no cost while a price is missing', () => {
  expect(exampleCost({ ...emptyRow, input: 2, output: 8 })).toBeCloseTo(0.216);
  expect(exampleCost({ ...emptyRow, call: 0 })).toBe(0);
  expect(exampleCost({ ...emptyRow, input: 2 })).toBeUndefined();
});

test('a model with two rows is refused, instead of losing the price of one of them', () => {
  const rows = [1, 2].map((input) => ({ ...emptyRow, model: input === 1 ? 'm' : ' m ', input, output: 2 }));
  const draft = { currency: '', factor: undefined, rows, tools: [], allowances: [] };
  const { cost } = JSON.parse(withCost('', draft)) as { cost: unknown };
  expect(channelCost.safeParse(cost).success).toBe(false);
  expect(rows.map((_, at) => isTwice(rows, at))).toEqual([false, true]);
});
