/*
 * How fast kept calls are charged again: `node src/server/store/testing/preview-speed.ts [rows] [sqlite|postgres]`.
 * Fills a throw-away database with rows of thirty models, some with context steps and tiers, and prints what a preview of all
 * of them takes, and how long it has kept the thread at most.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { initialOptions } from '#contract/options.ts';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import { Preview } from '#core/price-book/preview.ts';
import { addInTurns } from '../../control/wallet/price-preview.ts';
import { createPricedCalls } from '../logs/priced-calls.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { startPostgres } from './postgres-server.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const MODELS = 30;
const USERS = 2000;
const SPACING_MS = 250;
const BATCH = 500_000;
const NANO_MS = 1e6;

const names = Array.from({ length: MODELS }, (_, at) => `model ${String(at)}`);
const ratios = Object.fromEntries(names.map((name, at) => [name, 0.5 + at / 8]));
const dimensions = priceDimensions.parse(
  Object.fromEntries(
    names
      .filter((_, at) => at % 3 === 0)
      .map((name) => [
        name,
        { context: { steps: [{ above: 200_000, input: 2, output: 1.5 }] }, tiers: { priority: 2 } },
      ]),
  ),
);

/** Prompts from the cache, as agents send them; every tenth call at another tier. */
const fill = async ({ writer, engine }: Database, rows: number): Promise<void> => {
  for (const [at, name] of [...names, 'default'].entries())
    await sql`INSERT INTO names (id, name) VALUES (${at + 1}, ${name})`.execute(writer);
  for (const [at] of names.entries())
    await sql`INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
      prompt_tokens, completion_tokens, log_rows, log_quota) VALUES (0, 2, 1, 1, 1, ${at + 1}, 1, ${MODELS + 1}, 1, 1, 1, 1, 1, 1)`.execute(
      writer,
    );
  const tab = engine === 'postgres' ? sql`chr(9)` : sql`char(9)`;
  for (let from = 0; from < rows; from += BATCH) {
    const to = Math.min(rows, from + BATCH) - 1;
    const numbers =
      engine === 'postgres'
        ? sql`n(i) AS (SELECT * FROM generate_series(${from}::bigint, ${to}::bigint))`
        : sql`n(i) AS (SELECT cast(${from} AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
    await sql`WITH RECURSIVE ${numbers} INSERT INTO logs (created_at, type, user_id, username_id, token_id, token_name_id,
        channel_id, group_id, model_id, quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content,
        other, cost, priced)
      SELECT i * ${SPACING_MS}, 2, 1 + (i * 7919) % ${USERS}, 1, 1, 1, 1, ${MODELS + 1}, 1 + (i * 31) % ${MODELS}, 1000, 1, 1, 1, 1,
        '', cast(i AS TEXT), '', '', 2000000, ((i * 104729) % 3000) || ',' || ((i * 1299709) % 250000) || ',,,,,'
        || ((i * 15485863) % 4000) || ${tab} || ${tab} || CASE WHEN i % 10 = 0 THEN 'priority|priority|1||default'
        ELSE '||1||default' END FROM n`.execute(writer);
  }
};

/** What one turn of the loop takes of the processor at most: what else runs on the machine does not count. */
const watchTurns = (): { stop(): number } => {
  let isOver = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return {
    stop() {
      isOver = true;
      return longest / 1000;
    },
  };
};

const measure = async (database: Database, rows: number): Promise<void> => {
  const options = { ...initialOptions, ModelRatio: ratios, PriceDimensions: dimensions };
  const catalogue = { find: () => undefined };
  const draft = { ...options, CompletionRatio: { 'model 1': 4, 'model 3': 2 } };
  let known: ReadonlyMap<number, string> = new Map();
  const preview = new Preview(
    { options, catalogue },
    { options: draft, catalogue },
    (id) => known.get(id) ?? '',
  );
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const turns = watchTurns();
  const begunMs = performance.now();
  const cpu = process.cpuUsage();
  await createPricedCalls(database).read(0, rows * SPACING_MS, async (slice, told) => {
    known = told;
    await addInTurns(preview, slice, { monotonic: () => performance.now() });
    return true;
  });
  const seconds = (performance.now() - begunMs) / 1000;
  delay.disable();
  const longestMs = turns.stop();
  const used = process.cpuUsage(cpu);
  print(`  ${((used.user + used.system) / NANO_MS).toFixed(1)} s of processors, of all threads`);
  const { calls, now, draft: after } = preview.totals;
  print(
    `${database.engine}: ${String(calls)} calls in ${seconds.toFixed(1)} s, ${Math.round(calls / seconds).toString()} a second`,
  );
  const kept = [delay.max, delay.percentile(99)].map((nano) => (nano / NANO_MS).toFixed(1));
  print(
    `  now ${String(now)}, draft ${String(after)} units; the thread was kept for ${kept.join(' ms at most, p99 ')} ms`,
  );
  print(`  the longest turn of the loop took ${longestMs.toFixed(1)} ms of the processor`);
};

const run = async (rows: number, engine: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-preview-'));
  const server = engine === 'postgres' ? await startPostgres() : undefined;
  const config =
    server === undefined
      ? ({ engine: 'sqlite', file: join(folder, 'tollgate.db') } as const)
      : ({ engine: 'postgres', url: server.url } as const);
  const database = await openDatabase(config);
  try {
    const begunMs = performance.now();
    await fill(database, rows);
    print(`filled in ${((performance.now() - begunMs) / 1000).toFixed(0)} s`);
    if (engine === 'postgres') await sql`VACUUM ANALYZE logs`.execute(database.writer);
    await measure(database, rows);
    await measure(database, rows);
  } finally {
    await database.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

await run(Number(process.argv[2] ?? 1_000_000), process.argv[3] ?? 'sqlite');
