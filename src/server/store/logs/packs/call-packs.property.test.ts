import fc from 'fast-check';
import { type KyselyPlugin, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { noUsage } from '#core/chat/usage.ts';
import { Preview } from '#core/price-book/preview.ts';
import { pricedText } from '#core/price-book/priced-call.ts';
import type { Schema } from '../../database/schema.ts';
import { auditDatabase } from '../../ledger/audit.ts';
import { callLog } from '../../testing/accounts.ts';
import { onEachEngine } from '../../testing/on-each-engine.ts';
import { createHourTotalsStore } from '../sums/hour-totals-store.ts';
import { createLogClearingStore } from '../log-clearing-store.ts';
import { createPricedCalls } from './priced-calls.ts';
import { HOUR_MS } from '#core/time/spans.ts';

/** A preview comes to the same, whether it reads hours from their packs or from their rows. */

const HOURS = 12;
const calls = fc.array(
  fc.record({
    hour: fc.nat(HOURS - 1),
    atMs: fc.nat(HOUR_MS - 1),
    user: fc.integer({ min: 1, max: 3 }),
    model: fc.nat(2),
    tokens: fc.oneof(fc.nat(200), fc.nat(20_000_000)),
    units: fc.nat(2 ** 40),
    costNano: fc.option(fc.nat(2 ** 50), { nil: undefined }),
    searches: fc.nat(2),
    isPriced: fc.boolean(),
  }),
  { maxLength: 25 },
);
type Calls = typeof calls extends fc.Arbitrary<infer Some> ? Some : never;
const steps = fc.array(
  fc.oneof(
    calls.map((some) => ({ some })),
    fc.record({ packUntil: fc.nat(HOURS + 4), atMost: fc.integer({ min: 1, max: HOURS }) }),
    fc.record({ clearBefore: fc.nat(HOURS) }),
  ),
  { minLength: 2, maxLength: 8 },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;
const spans = fc
  .tuple(fc.nat(HOURS * HOUR_MS), fc.nat(HOURS * HOUR_MS))
  .map((ends) => ends.toSorted((one, other) => one - other));

const catalogue = { find: () => undefined };
const ratios = { 'model 0': 1, 'model 1': 0.3, 'model 2': 7 };
const now = { options: { ...initialOptions, ModelRatio: ratios }, catalogue };
const draft = {
  options: { ...initialOptions, ModelRatio: { ...ratios, 'model 1': 0.35 } },
  catalogue,
};

/** Runs a change when the first row has been written into a table, before whoever wrote it goes on. */
const onceWritten = (table: keyof Schema, change: () => Promise<unknown>): KyselyPlugin => {
  let isDone = false;
  const written = new WeakSet<object>();
  return {
    transformQuery: ({ node, queryId }) => {
      if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === table) written.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (written.has(queryId) && !isDone) {
        isDone = true;
        await change();
      }
      return result;
    },
  };
};

onEachEngine('calls that are packed,', (on) => {
  let written = 0;
  beforeAll(async () => {});

  const write = (some: Calls) =>
    on.database.runLedger(
      some.map(({ hour, atMs, user, model, tokens, units, costNano, searches, isPriced }) => {
        const tools = searches > 0 && { toolCalls: { web_search: searches } };
        const usage = { ...noUsage, inputTokens: tokens, outputTokens: tokens % 97, ...tools };
        const kind = {
          userGroup: user === 1 ? 'vip 组' : 'default',
          times: 1,
          isSelfUse: false,
          service: {},
        };
        const log = callLog({
          requestId: `call-${(written += 1)}`,
          createdAtMs: hour * HOUR_MS + atMs,
          userId: user,
          model: `model ${model}`,
          group: 'default',
          usage,
          quotaUnits: units,
          costNano,
          ...(isPriced && { priced: pricedText({ ...kind, usage }) }),
        });
        return { op: 'note', log };
      }),
    );
  const take = async (step: Step) => {
    if ('some' in step) await write(step.some);
    else if ('packUntil' in step)
      await createHourTotalsStore(on.database).addUpHours(step.packUntil * HOUR_MS, step.atMost);
    else
      await createLogClearingStore(on.database).deleteSome(
        { beforeMs: step.clearBefore * HOUR_MS, upToId: Number.MAX_SAFE_INTEGER },
        10,
      );
  };
  const preview = async (fromMs: number, toMs: number) => {
    let known: ReadonlyMap<number, string> = new Map();
    let packs = 0;
    const sums = new Preview(now, draft, (id) => known.get(id) ?? '');
    const all = await createPricedCalls(on.database).read(fromMs, toMs, (given, names) => {
      known = names;
      packs += 'pack' in given ? 1 : 0;
      sums.add(given);
    });
    const { totals, byModel, byUser, byDay } = sums;
    return { packs, told: { all, totals, byModel, byUser, byDay } };
  };
  const unpack = () => sql`UPDATE totalled_hours SET is_packed = 0`.execute(on.database.writer);
  const pack = async () => {
    while ((await createHourTotalsStore(on.database).addUpHours((HOURS + 4) * HOUR_MS, HOURS)) > 0);
  };
  const brokenPacks = async () =>
    (await auditDatabase(on.database, 0)).filter(
      ({ check, violations }) => check.startsWith('A35') && violations > 0,
    );

  it('come to what their rows come to, late calls and cleared rows included', async () => {
    let packs = 0;
    const compare = fc.asyncProperty(steps, spans, async (taken, [fromMs = 0, toMs = 0]) => {
      for (const step of taken) await take(step);
      expect(await brokenPacks()).toEqual([]);
      const asTheyAre = await preview(fromMs, toMs);
      await unpack();
      const fromRows = await preview(fromMs, toMs);
      expect(fromRows.packs).toBe(0);
      expect(asTheyAre.told).toEqual(fromRows.told);
      await pack();
      const fromPacks = await preview(fromMs, toMs);
      packs += fromPacks.packs;
      expect(fromPacks.told).toEqual(fromRows.told);
    });
    // Some seeds have few calls in the spans: then as many runs again, so that rows are not compared with themselves.
    for (let round = 0; round < 4 && packs <= 25; round += 1) await fc.assert(compare, { numRuns: 25 });
    expect(packs).toBeGreaterThan(25);
  });

  it('a call that is written, or taken out, while its hour is packed leaves the hour to its rows', async () => {
    const one = {
      user: 1,
      model: 1,
      tokens: 5,
      units: 3,
      costNano: undefined,
      searches: 0,
      isPriced: true,
    };
    const some: Calls = Array.from({ length: 2500 }, (_, atMs) => ({ ...one, hour: 0, atMs }));
    await write(some);
    await pack();
    const clearing = createLogClearingStore(on.database);
    const changes = [
      () => write([{ ...one, hour: 0, atMs: 9 }]),
      () => clearing.deleteSome({ beforeMs: HOUR_MS, upToId: Number.MAX_SAFE_INTEGER }, 10),
    ];
    for (const change of changes) {
      await unpack();
      const { database } = on;
      const writer = database.writer.withPlugin(onceWritten('packed_calls', change));
      await createHourTotalsStore({ ...database, writer }).addUpHours((HOURS + 4) * HOUR_MS, HOURS + 4);
      const meanwhile = await preview(0, HOUR_MS - 1);
      expect(meanwhile.packs).toBe(0);
      await pack();
      const after = await preview(0, HOUR_MS - 1);
      expect(after.packs).toBe(1);
      expect(after.told).toEqual(meanwhile.told);
      expect(await brokenPacks()).toEqual([]);
    }
  });
});
