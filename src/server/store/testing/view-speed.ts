/*
 * What the views of thirty days over a million calls take:
 * `node src/server/store/testing/view-speed.ts [rows] [sqlite|postgres] [folder to keep SQLite's file in]`.
 * Prints the processor time of each view, of this process and of PostgreSQL's, the middle of five.
 */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { UsageFilter } from '#core/usage/usage-store.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { createHourTotalsStore } from '../logs/sums/hour-totals-store.ts';
import { createUsageStore } from '../logs/sums/usage-store.ts';
import { fillMonth, MONTH } from './month-of-calls.ts';
import { startPostgres } from './postgres-server.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const TRIES = 5;
const TICK_MS = 10;

const statOf = (pid: number): string[] =>
  readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
    .split(') ')[1]
    ?.split(' ') ?? [];
const msOf = (fields: readonly string[], from: number): number =>
  (Number(fields[from]) + Number(fields[from + 1])) * TICK_MS;

/** What PostgreSQL's processes have used, those that are over included. */
const usedByPostgres = (starter: number | undefined): number => {
  if (starter === undefined) return 0;
  let ms = msOf(statOf(starter), 13);
  for (const name of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(name)) continue;
    try {
      const stat = statOf(Number(name));
      if (Number(stat[1]) === starter) ms += msOf(stat, 11);
    } catch {
      // It ended meanwhile, and is counted with its starter.
    }
  }
  return ms;
};

const starterOf = async ({ engine, reader }: Database): Promise<number | undefined> => {
  if (engine === 'sqlite') return undefined;
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(reader);
  return Number(statOf(rows[0]?.pid ?? 0)[1]);
};

const measure = async (database: Database): Promise<void> => {
  const usage = createUsageStore(database);
  const starter = await starterOf(database);
  const all: UsageFilter = { fromMs: MONTH.fromMs, toMs: MONTH.toMs };
  const views = (filter: UsageFilter): Record<string, () => Promise<unknown>> => ({
    'hours by model': () => usage.hours(filter),
    'hours by channel': () => usage.hoursBy('channel', filter, 10),
    'hours by user': () => usage.hoursBy('user', filter, 10),
    'hours by token': () => usage.hoursBy('token', filter, 10),
    'hours by program': () => usage.hoursBy('program', filter, 10),
    'errors, cache, first token': () => usage.keySums(filter),
    'channels by hour': () => usage.channels(filter, 20_001),
    'margin by channel': () => usage.margin('channel', filter, 1000),
    'margin by model': () => usage.margin('model', filter, 1000),
    'margin by group': () => usage.margin('group', filter, 1000),
    'margin by user': () => usage.margin('user', filter, 1000),
    'margin by token': () => usage.margin('token', filter, 1000),
    'margin by day': () => usage.margin('day', filter, 1000),
    'margin of a channel by model': () => usage.margin('model', { ...filter, channelId: 3 }, 1000),
    'margin of a group by model': () => usage.margin('model', { ...filter, group: 'vip' }, 1000),
    'cache by channel': () => usage.cache('channel', filter, 1000),
    'cache by model': () => usage.cache('model', filter, 1000),
    'cache by day': () => usage.cache('day', filter, 1000),
    'sessions used last': () => usage.sessions(filter, 100),
    'top users': () => usage.top('user', filter, 10),
    'top tokens': () => usage.top('token', filter, 10),
  });
  const whose = {
    everybody: all,
    'the busiest user': { ...all, userId: 1 },
    'a user': { ...all, userId: 100 },
  };
  for (const [who, filter] of Object.entries(whose))
    for (const [name, view] of Object.entries(views(filter))) {
      const times: { readonly cpu: number; readonly wall: number }[] = [];
      for (let tried = 0; tried < TRIES; tried++) {
        const [before, theirs, start] = [process.cpuUsage(), usedByPostgres(starter), performance.now()];
        await view();
        const { user, system } = process.cpuUsage(before);
        times.push({
          cpu: (user + system) / 1000 + usedByPostgres(starter) - theirs,
          wall: performance.now() - start,
        });
      }
      const middle = (by: 'cpu' | 'wall') =>
        (times.map((time) => time[by]).sort((one, other) => one - other)[Math.floor(TRIES / 2)] ?? 0).toFixed(
          0,
        );
      print(
        `${who.padEnd(18)} ${name.padEnd(30)} cpu ${middle('cpu').padStart(5)} ms  wall ${middle('wall').padStart(5)} ms`,
      );
    }
};

const addUp = async (database: Database): Promise<void> => {
  const starter = await starterOf(database);
  const [before, theirs] = [process.cpuUsage(), usedByPostgres(starter)];
  const delay = { hours: 0 };
  const store = createHourTotalsStore(database);
  for (let added = Infinity; added > 0; delay.hours += added) added = await store.addUpHours(MONTH.toMs, 240);
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000 + usedByPostgres(starter) - theirs;
  print(`${delay.hours} hours added up: cpu ${(ms / delay.hours).toFixed(1)} ms each`);
};

const run = async (rows: number, engine: string, kept: string | undefined): Promise<void> => {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'tollgate-views-'));
  const file = join(folder, 'views.db');
  const isThere = engine === 'sqlite' && existsSync(file);
  const server = engine === 'postgres' ? await startPostgres() : undefined;
  const database = await openDatabase(
    server === undefined ? { engine: 'sqlite', file } : { engine: 'postgres', url: server.url },
  );
  try {
    const start = performance.now();
    if (!isThere) await fillMonth(database, rows);
    const { hours } = await database.reader
      .selectFrom('usage_hours')
      .select((is) => is.fn.countAll<number>().as('hours'))
      .executeTakeFirstOrThrow();
    print(
      `${engine}: ${rows} calls and ${hours} hourly sums in ${((performance.now() - start) / 1000).toFixed(0)} s`,
    );
    await addUp(database);
    await measure(database);
  } finally {
    await database.close();
    await server?.stop();
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
};

const [rows = '1000000', engine, kept] = process.argv.slice(2);
for (const each of engine === undefined ? ['sqlite', 'postgres'] : [engine])
  await run(Number(rows), each, kept);
