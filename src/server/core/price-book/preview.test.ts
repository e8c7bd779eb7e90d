import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialOptions, type OptionValues } from '#contract/options.ts';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { priceBuckets } from '../quota/price-factors.ts';
import { priceAt, quotaAt } from '../quota/price-variants.ts';
import type { Service } from '../quota/served-terms.ts';
import { findPrice, type PriceSources, timesPerCall } from '../quota/price.ts';
import { type PricedCall, pricedText } from './priced-call.ts';
import { CallPacker } from './call-pack.ts';
import { Preview, sumsOfAll } from './preview.ts';
import { BETWEEN_COLUMNS } from './call-rows.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 9, 24);
const catalogue = {
  find: (model: string) =>
    model === 'listed'
      ? { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, createCacheRatio: 1.25 }
      : undefined,
};

const factor = fc.constantFrom(0, 0.001, 0.1, 0.35, 1, 1.1, 2, 3.333333333333, 37.5);
const word = fc.constantFrom('standard', 'priority', 'flex', 'unheard');
const steps = fc.record({
  counts: fc.constantFrom('prompt', 'without_cache_reads', 'without_cache'),
  charges: fc.constantFrom('call', 'excess'),
  steps: fc.constantFrom(
    [{ above: 1000, input: 2 }],
    [
      { from: 50, input: 0.5 },
      { above: 90_000, input: 3 },
    ],
  ),
});
const hours = fc.constant([{ zone: 'Europe/Berlin', from: '22:00', to: '06:00', factor: 0.5 }]);
const dimensions = fc
  .record(
    {
      context: steps,
      tiers: fc.record({ priority: factor, flex: factor }),
      speeds: fc.record({ fast: factor }),
      hours,
    },
    { requiredKeys: [] },
  )
  .map((one) => priceDimensions.parse({ m: one })['m']);

const options = fc
  .record({
    ModelRatio: fc.option(factor),
    CompletionRatio: fc.option(factor),
    CacheRatio: fc.option(factor),
    ModelPrice: fc.option(factor, { freq: 3 }),
    GroupRatio: factor,
    special: fc.option(factor),
    dimensions: fc.option(dimensions),
  })
  .map(
    ({
      ModelRatio,
      CompletionRatio,
      CacheRatio,
      ModelPrice,
      GroupRatio,
      special,
      dimensions: of,
    }): OptionValues => {
      const table = (value: number | null): Record<string, number> =>
        value === null ? {} : { listed: value, other: value };
      return {
        ...initialOptions,
        ModelRatio: table(ModelRatio),
        CompletionRatio: table(CompletionRatio),
        CacheRatio: table(CacheRatio),
        ModelPrice: table(ModelPrice),
        GroupRatio: { default: GroupRatio },
        GroupGroupRatio: special === null ? {} : { 'vip ~|\t组': { default: special } },
        PriceDimensions: of === null || of === undefined ? {} : { listed: of, other: of },
      };
    },
  );

const count = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(2000), fc.nat(20_000_000));
const usage = fc.record({
  counts: fc.array(count, { minLength: priceBuckets.length, maxLength: priceBuckets.length }),
  searches: fc.option(fc.nat(30), { freq: 4 }),
});
const usageOf = ({ counts, searches }: { counts: number[]; searches: number | null }): Usage => ({
  ...noUsage,
  ...Object.fromEntries(priceBuckets.map((bucket, at) => [bucket, counts[at] ?? 0])),
  ...(searches !== null && searches > 0 && { toolCalls: { web_search: searches } }),
});

const moment = fc.integer({ min: START_MS, max: START_MS + 48 * HOUR_MS });
const call = fc.record({
  model: fc.constantFrom('listed', 'other'),
  userGroup: fc.constantFrom('default', 'vip ~|\t组'),
  usage: usage.map(usageOf),
  times: fc.constantFrom(1, 3, 0.4),
  isSelfUse: fc.boolean(),
  sent: fc.option(
    fc.record({ tier: word, speed: fc.constantFrom('fast', 'standard') }, { requiredKeys: [] }),
  ),
  served: fc.option(fc.record({ tier: word }, { requiredKeys: [] })),
  atMs: moment,
  cost: fc.option(fc.nat(1_000_000)),
  user: fc.integer({ min: 1, max: 3 }),
});

type Made = PricedCall & { readonly model: string; readonly atMs: number };

/** The very functions that a call is charged by. */
const exactly = ({ options: of }: PriceSources, one: Made): number | undefined => {
  const sources = { options: { ...of, SelfUseModeEnabled: one.isSelfUse }, catalogue };
  const found = findPrice(sources, one.model, one.userGroup, 'default');
  return found && quotaAt(priceAt(timesPerCall(found, one.times), one.atMs), one.usage, one.service);
};

/** The sums of the same calls from hourly packs, split at a moment into two previews. */
const packed = (
  calls: readonly { readonly atMs: number }[],
  lines: readonly string[],
  cutMs: number,
  open: () => Preview,
) => {
  const packers = new Map<number, CallPacker>();
  for (const [at, { atMs }] of calls.entries()) {
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    const packer = packers.get(hourMs) ?? new CallPacker(hourMs);
    packers.set(hourMs, packer);
    packer.add({ text: lines[at] ?? '', untilMs: Infinity });
  }
  const [before, after] = [open(), open()];
  for (const [hourMs, packer] of packers) {
    const pack = packer.take();
    before.add({ pack: { ...pack, hourMs, fromMs: 0, toMs: cutMs } });
    after.add({ pack: { ...pack, hourMs, fromMs: cutMs + 1, toMs: Infinity } });
  }
  return sumsOfAll([before, after]);
};

it('a preview is to the unit what every single call would have been charged, now and by the draft', () => {
  const names = new Map([
    [1, 'listed'],
    [2, 'other'],
    [3, 'default'],
  ]);
  fc.assert(
    fc.property(options, options, fc.array(call, { maxLength: 30 }), moment, (...made) => {
      const [nowOptions, draftOptions, calls, cutMs] = made;
      const [now, draft] = [
        { options: nowOptions, catalogue },
        { options: draftOptions, catalogue },
      ];
      const preview = new Preview(now, draft, (id) => names.get(id) ?? '');
      const lines: string[] = [];
      const sums = { now: 0, draft: 0, unpriced: 0, costNano: 0, costedDraft: 0 };
      for (const { sent, served, cost, user, ...rest } of calls) {
        const service: Service = { sent: sent ?? undefined, served: served ?? undefined };
        const one = { ...rest, service };
        const model = one.model === 'listed' ? 1 : 2;
        lines.push([one.atMs, user, 7, cost ?? '', pricedText(one), model, 3].join(BETWEEN_COLUMNS));
        sums.now += exactly(now, one) ?? 0;
        const units = exactly(draft, one);
        sums.draft += units ?? 0;
        if (units === undefined) sums.unpriced += 1;
        sums.costNano += cost ?? 0;
        if (cost !== null) sums.costedDraft += units ?? 0;
      }
      preview.add({ rows: { text: lines.join('\n'), untilMs: Infinity } });
      const { totals, byUser, byModel, byDay } = preview;
      expect(totals).toMatchObject({
        calls: calls.length,
        charged: 7 * calls.length,
        unread: 0,
        now: sums.now,
        draft: sums.draft,
        unpricedDraft: sums.unpriced,
        costNano: sums.costNano,
        costedDraft: sums.costedDraft,
      });
      const halves = [lines.slice(0, 5), lines.slice(5)].map((part) => {
        const half = new Preview(now, draft, (id) => names.get(id) ?? '');
        half.add({ rows: { text: part.join('\n'), untilMs: Infinity } });
        return half;
      });
      expect(sumsOfAll(halves)).toEqual({ totals, byUser, byModel, byDay });
      expect(packed(calls, lines, cutMs, () => new Preview(now, draft, (id) => names.get(id) ?? ''))).toEqual(
        {
          totals,
          byUser,
          byModel,
          byDay,
        },
      );
      for (const parts of [byUser, byModel, byDay]) {
        const all = [...parts.values()].reduce((sum, { draft: units }) => sum + units, 0);
        expect(all).toBe(sums.draft);
      }
    }),
    { numRuns: 60 },
  );
});

it('a row that does not read is counted and charged nothing', () => {
  const sources = { options: initialOptions, catalogue };
  const preview = new Preview(sources, sources, () => 'listed');
  const text = `${[5, 1, 9, '', '1,2\t\tno kind', 1, 2].join(BETWEEN_COLUMNS)}\nrubbish`;
  preview.add({ rows: { text, untilMs: 6 } });
  expect(preview.totals).toMatchObject({ calls: 0, unread: 2, now: 0 });
  const packer = new CallPacker(0);
  packer.add({ text, untilMs: 6 });
  preview.add({ pack: { ...packer.take(), hourMs: 0, fromMs: 0, toMs: 6 } });
  expect(preview.totals).toMatchObject({ calls: 0, unread: 4, now: 0 });
});

it('rows of the moment at which a slice was cut are left to the next', () => {
  const sources = { options: { ...initialOptions, ModelPrice: { listed: 1 } }, catalogue };
  const preview = new Preview(sources, sources, () => 'listed');
  const kind = { usage: noUsage, userGroup: 'default', times: 1, isSelfUse: false, service: {} };
  const line = (at: number) => [at, 1, 9, '', pricedText(kind), 1, 2].join(BETWEEN_COLUMNS);
  preview.add({ rows: { text: [line(5), line(6), line(7)].join('\n'), untilMs: 7 } });
  preview.add({ rows: { text: line(7), untilMs: 8 } });
  expect(preview.totals).toMatchObject({ calls: 3, now: 1_500_000, draft: 1_500_000 });
});
