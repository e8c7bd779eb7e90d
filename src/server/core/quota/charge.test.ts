import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { optionTable } from '#contract/options.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { believedReport, type CallEnd, chargeFor } from './charge.ts';
import { mergeReports } from './merge-reports.ts';
import { holdFor } from './estimate.ts';
import { priceOf, quotaOf } from './price.ts';

const end = (changes: Partial<CallEnd>): CallEnd => ({
  reported: undefined,
  produced: true,
  outputBytes: 0,
  inputTokensEstimate: 100,
  complete: true,
  ...changes,
});

const usage = (changes: Partial<Usage>): Usage => ({ ...noUsage, ...changes });

describe('what a call is charged for', () => {
  test('the usage that was reported, however long the text was', () => {
    const reported = usage({ inputTokens: 10, outputTokens: 3 });
    expect(chargeFor(end({ reported, outputBytes: 4000 }))).toEqual({ action: 'settle', usage: reported });
  });

  test('a report of as many tokens out as in is believed like any other; one of none is not', () => {
    const even = usage({ inputTokens: 7, outputTokens: 7 });
    expect(believedReport(even)).toBe(even);
    expect(believedReport(usage({ inputTokens: 7 }))).toEqual(usage({ inputTokens: 7 }));
    expect(believedReport(usage({ outputTokens: 7 }))).toEqual(usage({ outputTokens: 7 }));
    expect(believedReport(usage({}))).toBeUndefined();
    expect(believedReport(undefined)).toBeUndefined();
  });

  test('the prompt and the text counted, where nothing was reported', () => {
    expect(chargeFor(end({ outputBytes: 41 }))).toEqual({
      action: 'settle',
      usage: usage({ inputTokens: 50, outputTokens: 11, estimated: true }),
    });
  });

  test('nothing, where nothing was produced', () => {
    expect(chargeFor(end({ produced: false, complete: false }))).toEqual({
      action: 'void',
      why: 'nothing_produced',
    });
    expect(
      chargeFor(end({ produced: false, complete: false, reported: usage({ inputTokens: 10 }) })).action,
    ).toBe('void');
  });

  test('at least the text that passed, where the stream broke off after an early report', () => {
    const reported = usage({ inputTokens: 10, outputTokens: 1 });
    expect(chargeFor(end({ reported, complete: false, outputBytes: 400 }))).toEqual({
      action: 'settle',
      usage: usage({ inputTokens: 10, outputTokens: 100, estimated: true }),
    });
  });

  test('the report of a stream that broke off, as long as no more text has passed than it tells of', () => {
    const reported = usage({ inputTokens: 10, outputTokens: 100 });
    expect(chargeFor(end({ reported, complete: false, outputBytes: 400 }))).toEqual({
      action: 'settle',
      usage: reported,
    });
  });

  test('the text that passed, where the last report came before most of it', () => {
    const reported = usage({ inputTokens: 10, outputTokens: 1 });
    const older = end({ reported, outputBytes: 400, unreportedBytes: 396 });
    expect(chargeFor(older)).toEqual({
      action: 'settle',
      usage: usage({ inputTokens: 10, outputTokens: 100, estimated: true }),
    });
  });

  test('a report that came early and tells what was to come', () => {
    const reported = usage({ inputTokens: 10, outputTokens: 90 });
    const early = end({ reported, outputBytes: 400, unreportedBytes: 400 });
    expect(chargeFor(early)).toEqual({ action: 'settle', usage: reported });
  });

  test.each([
    ['the answer', { inputTokens: 10 }, { inputTokens: 10, outputTokens: 100, estimated: true }],
    ['the prompt', { outputTokens: 7 }, { inputTokens: 50, outputTokens: 7, estimated: true }],
  ])('%s counted, where a report tells 0 of it and words were said', (_, told, charged) => {
    expect(chargeFor(end({ reported: usage(told), outputBytes: 400 }))).toEqual({
      action: 'settle',
      usage: usage(charged),
    });
  });

  test('sound that was reported once, where a stream of it broke off: the text that passed holds it', () => {
    const reported = usage({ inputTokens: 10, outputTokens: 1, audioOutputTokens: 30 });
    expect(chargeFor(end({ reported, complete: false, outputBytes: 400 }))).toEqual({
      action: 'settle',
      usage: { ...reported, outputTokens: 70, estimated: true },
    });
  });

  test.each([
    ['negative', { inputTokens: -5, outputTokens: 30 }],
    ['fractional', { inputTokens: 1.5, outputTokens: 3 }],
    ['beyond every model', { inputTokens: 10, outputTokens: 1e15 }],
    ['not a number', { inputTokens: Number.NaN, outputTokens: 3 }],
    ['all zero', { inputTokens: 0, outputTokens: 0 }],
  ])('counted text instead of a report that is %s', (_, report) => {
    expect(chargeFor(end({ reported: usage(report), outputBytes: 8 }))).toEqual({
      action: 'settle',
      usage: usage({ inputTokens: 50, outputTokens: 2, estimated: true }),
    });
  });

  test.each<[string, Partial<Usage>, Partial<Usage>]>([
    ['sound, as told', { audioOutputTokens: 5000 }, {}],
    ['drawn pictures, as told', { imageOutputTokens: 5000 }, {}],
    ['thoughts, as told', { outputTokens: 5000, reasoningTokens: 4000 }, {}],
    ['words alone, as counted', { outputTokens: 5000 }, { outputTokens: 2, estimated: true }],
  ])('an answer longer than words can be, of %s', (_, told, counted) => {
    const limits = { promptTokens: 100, answerTokens: 1000, richAnswerTokens: 9000, hasTools: false };
    const reported = usage({ inputTokens: 10, ...told });
    expect(chargeFor(end({ reported, limits, outputBytes: 8 }))).toEqual({
      action: 'settle',
      usage: { ...reported, ...counted },
    });
  });

  test('no prompt, where a report tells none of an answer without words', () => {
    const reported = usage({ imageOutputTokens: 7 });
    expect(chargeFor(end({ reported }))).toEqual({ action: 'settle', usage: reported });
  });

  test('the total of two reports, not their sum', () => {
    const first = usage({ inputTokens: 100, outputTokens: 1 });
    expect(mergeReports(first, usage({ inputTokens: 100, outputTokens: 40 }))).toEqual(
      usage({ inputTokens: 100, outputTokens: 40 }),
    );
    expect(mergeReports(first, usage({ outputTokens: 40 }))).toEqual(
      usage({ inputTokens: 100, outputTokens: 40 }),
    );
  });

  test('never less when more has passed of a stream that breaks off', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.nat(1_000_000),
        fc.option(fc.nat(1000)),
        (bytes, more, reportedOutput) => {
          const reported =
            reportedOutput === null ? undefined : usage({ inputTokens: 10, outputTokens: reportedOutput });
          const tokens = (outputBytes: number): number => {
            const charge = chargeFor(end({ reported, complete: false, outputBytes }));
            return charge.action === 'void' ? 0 : charge.usage.outputTokens;
          };
          expect(tokens(bytes + more)).toBeGreaterThanOrEqual(tokens(bytes));
        },
      ),
    );
  });
});

describe('the hold', () => {
  const options = {
    ModelRatio: { m: 1.37 },
    CompletionRatio: { m: 4 },
    ModelPrice: {},
    CacheRatio: { m: 0.1 },
    CreateCacheRatio: { m: 1.25 },
    'tool_price_setting.prices': {},
    PriceDimensions: {},
    GroupRatio: { default: 0.9 },
    GroupGroupRatio: {},
    'group_setting.former_names': {},
    SelfUseModeEnabled: false,
    QuotaPerUnit: optionTable.QuotaPerUnit.initial,
  };
  const price = priceOf({ options, catalogue: { find: () => undefined } }, 'm', 'default', 'default');

  test('covers every answer within the limits of its call', () => {
    const part = fc.nat(100_000);
    fc.assert(
      fc.property(
        part,
        part,
        part,
        part,
        fc.nat(8000),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(8000),
        (input, read, short, long, most, choices, answered) => {
          const held = holdFor(price, {
            inputTokens: input + read + short + long,
            maxOutputTokens: most,
            choices,
            leastInputTokens: 500,
          });
          const outputTokens = Math.min(answered, most) * choices;
          const used = usage({
            inputTokens: input,
            cacheReadTokens: read,
            cacheWrite5mTokens: short,
            cacheWrite1hTokens: long,
            outputTokens,
          });
          expect(quotaOf(price, used)).toBeLessThanOrEqual(held);
        },
      ),
    );
  });

  test('assumes at least PreConsumedQuota tokens of prompt, and a bounded answer where none was asked for', () => {
    const held = holdFor(price, { inputTokens: 3, maxOutputTokens: 0, choices: 1, leastInputTokens: 500 });
    expect(held).toBe(Math.ceil(500 * 2 * 1.37 * 0.9));
    expect(
      holdFor(price, { inputTokens: 3, maxOutputTokens: undefined, choices: 2, leastInputTokens: 500 }),
    ).toBe(held + 40_403);
  });

  test('that no balance could cover is refused', () => {
    const dear = priceOf(
      { options: { ...options, ModelRatio: { m: 1_000_000 } }, catalogue: { find: () => undefined } },
      'm',
      'default',
      'default',
    );
    expect(() =>
      holdFor(dear, { inputTokens: 1, maxOutputTokens: 1e12, choices: 128, leastInputTokens: 0 }),
    ).toThrow(/any balance/);
  });
});
