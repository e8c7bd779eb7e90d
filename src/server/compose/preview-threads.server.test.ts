import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { Preview } from '#core/price-book/preview.ts';
import type { AgainAsked, ChargeCallsAgain } from '#core/price-book/priced-calls.ts';
import type { Database } from '../store/database/database.ts';
import { createHourTotalsStore } from '../store/logs/sums/hour-totals-store.ts';
import { createPricedCalls } from '../store/logs/packs/priced-calls.ts';
import { createPreviewThreads } from './preview-threads.ts';
import { type EmptyDatabase, emptyDatabases } from './testing/empty-databases.ts';

/** Several threads that charge calls again come to what one after the other would have. */

const CALLS = 70_000;
const SPACING_MS = 100;
const HOUR_MS = 3_600_000;

const now = { ...initialOptions, ModelRatio: { one: 1, two: 3 } };
const draft: AgainAsked['draft'] = {
  ...now,
  CompletionRatio: { two: 4 },
  PriceDimensions: {
    one: { context: { counts: 'prompt', charges: 'call', steps: [{ above: 900, input: 2 }] } },
  },
};

const fill = async ({ writer, engine }: Database): Promise<void> => {
  for (const [at, name] of ['one', 'two', 'default'].entries())
    await sql`INSERT INTO names (id, name) VALUES (${at + 1}, ${name})`.execute(writer);
  const tab = engine === 'postgres' ? sql`chr(9)` : sql`char(9)`;
  await sql`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${CALLS - 1})
    INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id, quota,
      prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, other, cost, priced)
    SELECT i * ${SPACING_MS}, 2, 1 + i % 7, 1, 1, 1, 1, 3, 1 + i % 2, 9, 1, 1, 1, 1, '', cast(i AS TEXT), '', '', i % 11,
      CASE WHEN i % 5 = 0 THEN NULL ELSE (i % 1000) || ',,,,,,' || (i % 17) || ${tab} || ${tab} || '||1||default' END
    FROM n`.execute(writer);
  await sql`INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
      prompt_tokens, completion_tokens, log_rows, log_quota)
    SELECT created_at / ${sql.lit(HOUR_MS)} AS hour, type, user_id, 1, 1, model_id, 1, 3, count(*), sum(quota), 1, 1, count(*), sum(quota)
    FROM logs GROUP BY 1, type, user_id, model_id`.execute(writer);
};

describe.each(emptyDatabases)('a preview on $name', ({ open }) => {
  let place: EmptyDatabase;
  let chargeAgain: ChargeCallsAgain;
  beforeAll(async () => {
    place = await open();
    await fill(place.database);
    chargeAgain = createPreviewThreads(place.config, createPricedCalls(place.database));
  });
  afterAll(() => place.end());
  const asked = { fromMs: 0, toMs: CALLS * SPACING_MS, now, draft };

  it('comes to the same in many threads as in one, and tells how far it is', async () => {
    let names: ReadonlyMap<number, string> = new Map();
    const catalogue = { find: () => undefined };
    const alone = new Preview(
      { options: now, catalogue },
      { options: draft, catalogue },
      (id) => names.get(id) ?? '',
    );
    const all = await createPricedCalls(place.database).read(asked.fromMs, asked.toMs, (slice, known) => {
      names = known;
      alone.add(slice);
    });
    const shares: number[] = [];
    const charged = await chargeAgain(asked, {
      signal: new AbortController().signal,
      progressed: (share) => void shares.push(share),
    });
    const { totals, byModel, byUser, byDay } = alone;
    expect(charged.sums).toEqual({ totals, byModel, byUser, byDay });
    expect(totals.calls).toBe((CALLS * 4) / 5);
    expect({ calls: charged.calls, quotaUnits: charged.quotaUnits }).toEqual(all);
    expect({ calls: charged.calls, quotaUnits: charged.quotaUnits }).toEqual({
      calls: CALLS,
      quotaUnits: 9 * CALLS,
    });
    expect(charged.names.get(1)).toBe('one');
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shares.at(-1)).toBe(1);
  });

  it('comes to the same from the packs of hours that are over', async () => {
    const watch = { signal: new AbortController().signal, progressed: () => {} };
    const fromRows = await chargeAgain(asked, watch);
    const nowMs = 3 * HOUR_MS;
    expect(await createHourTotalsStore(place.database).addUpHours(nowMs, 10)).toBe(2);
    expect(await chargeAgain(asked, watch)).toEqual(fromRows);
    // They are what is read.
    await sql`DELETE FROM packed_calls`.execute(place.database.writer);
    expect((await chargeAgain(asked, watch)).sums.totals.calls).toBe(0);
    await sql`UPDATE totalled_hours SET is_packed = 0`.execute(place.database.writer);
  });

  it('ends at once when nobody wants it any more', async () => {
    const stop = new AbortController();
    const run = chargeAgain(asked, { signal: stop.signal, progressed: () => stop.abort(new Error('stop')) });
    await expect(run).rejects.toThrow();
  });
});
