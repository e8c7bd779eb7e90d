import { expect, it } from 'vitest';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import {
  affordedTokens,
  holdPlan,
  MOST_ANSWER_TOKENS,
  outputLimitOf,
  sharedAmounts,
  usageWithin,
} from './afford.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { priceFrom } from './price.ts';
import { factorsOf } from './testing/price-factors.ts';

const price = priceFrom(factorsOf(), 500_000);
const firstOf = (hidesThoughts: boolean, maxOutputTokens?: number): number => {
  const size = { inputTokens: 100, maxOutputTokens, choices: 1, leastInputTokens: 0 };
  const asked = { price, size, style: 'stream', thinks: true, hidesThoughts, isLimitForeign: false } as const;
  return holdPlan(asked).answerTokens;
};

it('a stream holds 2048 tokens of its answer at first, or its limit', () => {
  expect([firstOf(false), firstOf(false, 128_000), firstOf(false, 300)]).toEqual([2048, 2048, 300]);
});

it('a stream whose thoughts are not seen before it ends holds what they may take: it cannot ask for more in time', () => {
  expect([firstOf(true), firstOf(true, 128_000), firstOf(true, 300)]).toEqual([16_384, 16_384, 300]);
});

const size = { inputTokens: 100, maxOutputTokens: undefined, choices: 1, leastInputTokens: 0 };

it('a call with a fixed price gets no output limit, however little quota there is', () => {
  const asked = { price, size, thinks: false, hidesThoughts: false, isLimitForeign: false };
  const little = { quotaUnits: 300, payableUnits: 300 };
  expect(outputLimitOf({ ...asked, style: 'whole' }, little)).toBe(100);
  expect(outputLimitOf({ ...asked, style: 'fixed' }, little)).toBeUndefined();
});

it('the usual minimum of a prompt is held as far as the payer has it, and refuses nobody who can pay the call', () => {
  const asked = { price, thinks: false, hidesThoughts: false, isLimitForeign: false };
  const small = { ...size, inputTokens: 16, leastInputTokens: 500 };
  // A token of the prompt costs 1, one of the answer 2.
  const vector = { ...asked, size: { ...small, maxOutputTokens: 0 }, style: 'fixed' } as const;
  expect(holdPlan(vector)).toMatchObject({ quotaUnits: 500, leastUnits: 16 });
  const chat = { ...asked, size: { ...small, maxOutputTokens: 100 }, style: 'whole' } as const;
  expect(holdPlan(chat)).toMatchObject({ quotaUnits: 700, leastUnits: 216 });
  expect(outputLimitOf(chat, { quotaUnits: 216, payableUnits: 216 })).toBeUndefined();
  expect(outputLimitOf(chat, { quotaUnits: 215, payableUnits: 215 })).toBe(99);
});

it('an answer is as long as the quota pays for, to the token, up to what 128 of the longest answers are', () => {
  expect(affordedTokens(price, size, 1_000_100)).toBe(500_000);
  expect(affordedTokens(price, size, 1_000_099)).toBe(499_999);
  const most = affordedTokens(price, size, MAX_QUOTA_UNITS);
  expect(most).toBe(MOST_ANSWER_TOKENS * 128);
});

it.each([
  // A token of the prompt costs 1, one of the answer 2: with its share of 1100 a call could pay 500.
  ['whole', undefined, 30, 1100, [1100, 160]],
  ['whole', undefined, 30, 0, [100 + 2 * 46, 160]],
  ['whole', 40, 30, 1100, [180, 160]],
  ['whole', undefined, 3000, 0, [100 + 2 * 3758, 100 + 2 * 256]],
  ['stream', undefined, 30, 1100, [100 + 2 * 256, 160]],
  ['stream', 64_000, 30, 0, [100 + 2 * 46, 160]],
] as const)(
  'in a crowd a %s (limit: %s) holds its share, or room for one more answer of %s tokens (share: %s)',
  (style, maxOutputTokens, longest, share, [quotaUnits, leastUnits]) => {
    const asked = { price, style, thinks: false, hidesThoughts: false, isLimitForeign: false };
    const shared = sharedAmounts({ ...asked, size: { ...size, maxOutputTokens } }, share, longest);
    expect(shared).toEqual({ quotaUnits, leastUnits });
  },
);

/** A token of output costs 1, a search 10, code 3, a token of the prompt 1. */
const cost = ({ inputTokens, outputTokens, toolCalls = {} }: Usage): number =>
  inputTokens + outputTokens + 10 * (toolCalls.web_search ?? 0) + 3 * (toolCalls.code_interpreter ?? 0);
const used: Usage = {
  ...noUsage,
  inputTokens: 20,
  outputTokens: 15,
  reasoningTokens: 9,
  toolCalls: { web_search: 3, code_interpreter: 1 },
};

it.each([
  ['all of it where all is paid', 68, 15, { web_search: 3, code_interpreter: 1 }],
  ['less of the answer first', 60, 7, { web_search: 3, code_interpreter: 1 }],
  [
    'the last search where no word of the answer would be paid',
    52,
    9,
    { web_search: 2, code_interpreter: 1 },
  ],
  ['as many searches as it takes', 41, 8, { web_search: 1, code_interpreter: 1 }],
  ['no search', 22, 2, undefined],
  ['never less of the prompt', 15, 0, undefined],
])(
  'the reported usage of an answer that ended for lack of money is %s',
  (_, units, outputTokens, toolCalls) => {
    const within = usageWithin(cost, used, units);
    expect(within).toMatchObject({ inputTokens: 20, outputTokens });
    expect(within.toolCalls).toEqual(toolCalls);
    expect(within.reasoningTokens).toBe(Math.min(9, outputTokens));
  },
);

it('thousands of reported tool calls are cut to what is affordable in a few dozen steps', () => {
  let steps = 0;
  const counted = (usage: Usage): number => {
    steps += 1;
    return cost(usage);
  };
  const many = { ...used, toolCalls: { web_search: 1000, code_interpreter: 1000 } };
  expect(usageWithin(counted, many, 20 + 3 * 500).toolCalls).toEqual({ code_interpreter: 500 });
  expect(steps).toBeLessThan(60);
});
