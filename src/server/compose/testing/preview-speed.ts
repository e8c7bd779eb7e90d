/*
 * How fast kept calls are charged again: `node src/server/compose/testing/preview-speed.ts [rows] [sqlite|postgres]`.
 * Fills a throw-away database with rows of thirty models, some with context steps and tiers, packs them as the clock does, and
 * prints what a preview of all of them takes, from rows and from packs, and how long each has kept the thread at most.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { initialOptions } from '#contract/options.ts';
import { priceDimensions } from '#contract/options/price-dimensions.ts';
import {
  type Database,
  type DatabaseConfig,
  openDatabase,
  patiently,
} from '../../store/database/database.ts';
import { createHourTotalsStore } from '../../store/logs/sums/hour-totals-store.ts';
import { createPricedCalls } from '../../store/logs/packs/priced-calls.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';
import { createPreviewThreads } from '../preview-threads.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const MODELS = 30;
const USERS = 2000;
const SPACING_MS = 250;
const BATCH = 100_000;
const NANO_MS = 1e6;
const HOUR_MS = 3_600_000;
const HOURS_AT_ONCE = 240;

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
  // Each hour knows its calls, and all the models.
  const hours = Math.ceil((rows * SPACING_MS) / HOUR_MS);
  for (const [at] of names.entries())
    await sql`INSERT INTO usage_hours (hour, type, user_id, token_id, token_name_id, model_id, channel_id, group_id, calls, quota,
      prompt_tokens, completion_tokens, log_rows, log_quota)
      WITH RECURSIVE h(hour) AS (SELECT 0 UNION ALL SELECT hour + 1 FROM h WHERE hour < ${sql.lit(hours - 1)})
      SELECT hour, 2, 1, 1, 1, ${sql.lit(at + 1)}, 1, ${sql.lit(MODELS + 1)}, ${sql.lit(HOUR_MS / SPACING_MS / MODELS)},
        1, 1, 1, ${sql.lit(HOUR_MS / SPACING_MS / MODELS)}, 1 FROM h`.execute(writer);
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

const TICK_MS = 10;

/** Processor time of PostgreSQL's ended processes, one for each connection. Linux adds it to their parent's. */
const usedByPostgres = async ({ writer, engine }: Database): Promise<number> => {
  if (engine === 'sqlite') return 0;
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(writer);
  const statOf = (pid: number): string[] =>
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  const [, starter] = statOf(rows[0]?.pid ?? 0);
  const [user, system] = statOf(Number(starter)).slice(13, 15);
  return ((Number(user) + Number(system)) * TICK_MS) / 1000;
};

const secondsSince = (begunMs: number): string => ((performance.now() - begunMs) / 1000).toFixed(1);

/** What the clock does beside calls, an hour after the next. */
const pack = async (database: Database, rows: number): Promise<void> => {
  const begunMs = performance.now();
  const cpu = process.cpuUsage();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const nowMs = rows * SPACING_MS + 3 * HOUR_MS;
  while ((await createHourTotalsStore(database).addUpHours(nowMs, HOURS_AT_ONCE)) > 0);
  delay.disable();
  const used = process.cpuUsage(cpu);
  print(
    `packed in ${secondsSince(begunMs)} s, ${((used.user + used.system) / NANO_MS).toFixed(1)} s of processors; the thread was ` +
      `kept for ${(delay.max / NANO_MS).toFixed(1)} ms at most, p99 ${(delay.percentile(99) / NANO_MS).toFixed(1)} ms`,
  );
};

const measure = async (database: Database, config: DatabaseConfig, rows: number): Promise<void> => {
  const now = { ...initialOptions, ModelRatio: ratios, PriceDimensions: dimensions };
  const draft = { ...now, CompletionRatio: { 'model 1': 4, 'model 3': 2 } };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begunMs = performance.now();
  const cpu = process.cpuUsage();
  const before = await usedByPostgres(database);
  const chargeAgain = createPreviewThreads(config, createPricedCalls(database));
  const { sums } = await chargeAgain(
    { fromMs: 0, toMs: rows * SPACING_MS, now, draft },
    { signal: new AbortController().signal, progressed: () => {} },
  );
  const seconds = (performance.now() - begunMs) / 1000;
  delay.disable();
  const used = process.cpuUsage(cpu);
  const others = (await usedByPostgres(database)) - before;
  print(
    `  ${((used.user + used.system) / NANO_MS).toFixed(1)} s of processors, of all threads; ${others.toFixed(1)} s of the database's`,
  );
  const { calls, now: byNow, draft: byDraft } = sums.totals;
  print(
    `${database.engine}: ${String(calls)} calls in ${seconds.toFixed(1)} s, ${Math.round(calls / seconds).toString()} a second`,
  );
  const kept = [delay.max, delay.percentile(99)].map((nano) => (nano / NANO_MS).toFixed(1));
  print(
    `  now ${String(byNow)}, draft ${String(byDraft)} units; the thread was kept for ${kept.join(' ms at most, p99 ')} ms`,
  );
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
    print(`filled in ${secondsSince(begunMs)} s`);
    if (config.engine === 'postgres')
      await patiently(config.url, (patient) => sql`VACUUM ANALYZE logs`.execute(patient));
    await measure(database, config, rows);
    await pack(database, rows);
    await measure(database, config, rows);
    await measure(database, config, rows);
  } finally {
    await database.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

await run(Number(process.argv[2] ?? 1_000_000), process.argv[3] ?? 'sqlite');
