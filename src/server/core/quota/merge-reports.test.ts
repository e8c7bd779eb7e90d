import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completionTokens, noUsage, promptTokens, type Usage } from '../chat/usage.ts';
import { mergeReports } from './merge-reports.ts';

const usage = (changes: Partial<Usage>): Usage => ({ ...noUsage, ...changes });

const count = fc.nat(20_000_000);
const report: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: count,
    cacheReadTokens: count,
    cacheWrite5mTokens: count,
    cacheWrite1hTokens: count,
    imageInputTokens: count,
    audioInputTokens: count,
    outputTokens: count,
    audioOutputTokens: count,
    imageOutputTokens: count,
  })
  .map((counts) => usage(counts));

describe('two reports of one call', () => {
  test('how a prompt is split up counts as it was told last, once', () => {
    const start = usage({ inputTokens: 3019, outputTokens: 1 });
    const end = usage({
      inputTokens: 756,
      cacheReadTokens: 1509,
      cacheWrite5mTokens: 754,
      outputTokens: 212,
    });
    expect(mergeReports(start, end)).toEqual(end);
  });

  test('a side missing from the later report keeps its earlier value', () => {
    const start = usage({ inputTokens: 10, cacheReadTokens: 90, outputTokens: 1 });
    expect(mergeReports(start, usage({ outputTokens: 40 }))).toEqual({ ...start, outputTokens: 40 });
    expect(mergeReports(usage({ outputTokens: 40 }), usage({ inputTokens: 5 }))).toEqual(
      usage({ inputTokens: 5, outputTokens: 40 }),
    );
  });

  test('what was written to the cache for an hour stays so where the end does not say for how long', () => {
    const start = usage({ inputTokens: 3, cacheWrite1hTokens: 500, outputTokens: 1 });
    const end = usage({ inputTokens: 3, cacheWrite5mTokens: 500, outputTokens: 9 });
    expect(mergeReports(start, end, ['cacheWrite1hTokens'])).toEqual({ ...start, outputTokens: 9 });
  });

  test('of fewer writes in the end no more than those count as written for an hour', () => {
    const start = usage({ inputTokens: 3, cacheWrite1hTokens: 500 });
    const end = usage({ inputTokens: 3, cacheWrite5mTokens: 300, outputTokens: 9 });
    expect(mergeReports(start, end, ['cacheWrite1hTokens'])).toEqual(
      usage({ inputTokens: 3, cacheWrite1hTokens: 300, outputTokens: 9 }),
    );
  });

  test('whether it was told for how long the cache keeps what was written is known from the report that counts', () => {
    const undated = { cacheWrite5mTokens: 500, writesUndated: true } as const;
    const dated = { cacheWrite5mTokens: 250, cacheWrite1hTokens: 250 };
    const isUndated = (earlier: Partial<Usage>, later: Partial<Usage>, ...lacks: 'cacheWrite1hTokens'[]) =>
      mergeReports(usage(earlier), usage({ outputTokens: 9, ...later }), lacks).writesUndated === true;
    expect(isUndated(undated, {})).toBe(true);
    expect(isUndated(undated, dated)).toBe(false);
    expect(isUndated(dated, undated)).toBe(true);
    expect(isUndated(dated, undated, 'cacheWrite1hTokens')).toBe(false);
    expect(isUndated({ inputTokens: 7 }, undated, 'cacheWrite1hTokens')).toBe(true);
  });

  test('an impossible report does not replace a possible one', () => {
    const start = usage({ inputTokens: 10, outputTokens: 5 });
    expect(mergeReports(start, usage({ inputTokens: 10, outputTokens: 90_000_000 }))).toBe(start);
  });

  test('are never added up: each count is that of one of them', () => {
    fc.assert(
      fc.property(report, report, (earlier, later) => {
        const merged = mergeReports(earlier, later);
        const prompt = promptTokens(later) === 0 ? earlier : later;
        const answer = completionTokens(later) === 0 ? earlier : later;
        expect(merged).toEqual({
          ...prompt,
          outputTokens: answer.outputTokens,
          audioOutputTokens: answer.audioOutputTokens,
          imageOutputTokens: answer.imageOutputTokens,
        });
      }),
    );
  });

  test('where each choice may report its own, the largest reported answer stays', () => {
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 6 }), (reports) => {
        const merged = reports.reduce(
          (earlier: Usage | undefined, later) => mergeReports(earlier, later, [], true),
          undefined,
        );
        expect(completionTokens(merged ?? noUsage)).toBe(Math.max(...reports.map(completionTokens)));
      }),
    );
  });

  test('the last report counts: a count replaces an estimate from the start', () => {
    const start = usage({ inputTokens: 3000, outputTokens: 50 });
    const end = usage({ inputTokens: 2000, outputTokens: 40 });
    expect(mergeReports(start, end)).toEqual(end);
  });

  test('the same report again changes nothing', () => {
    fc.assert(
      fc.property(report, (one) => {
        expect(mergeReports(one, one)).toEqual(one);
      }),
    );
  });
});
