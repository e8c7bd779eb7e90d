/*
 * How fast a million log rows are: `node src/server/store/testing/log-speed.ts [rows] [sqlite|postgres]`.
 * Fills a throw-away database and prints the middle of five for every filter and page.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logType } from '#contract/codes.ts';
import type { LogFilter } from '#core/log/log-store.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { numbersOf } from '../logs/log-filter.ts';
import { createLogStore, rates } from '../logs/log-store.ts';
import { fillMonth, MONTH } from './month-of-calls.ts';
import { startPostgres } from './postgres-server.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const TRIES = 5;
const { fromMs: START_MS, toMs: NOW_MS } = MONTH;

const filters: Record<string, LogFilter> = {
  'no filter': {},
  type: { type: 5 },
  'busiest username': { username: 'user 1' },
  username: { username: 'user 7' },
  'rare username': { username: 'user 199' },
  token: { tokenId: 10 },
  model: { modelPart: 'model 4' },
  'part of a token name': { tokenNamePart: 'KEN 3-' },
  'part of many tokens': { tokenNamePart: 'token' },
  channel: { channelId: 2 },
  group: { group: 'vip' },
  'time range': { fromMs: START_MS + 3 * 86_400_000 + 12_345, toMs: NOW_MS - 2 * 86_400_000 - 54_321 },
  'request id': { requestId: 'request-500000' },
  'model, group, channel': { modelPart: 'model 1', group: 'default', channelId: 1 },
  'user, type, time range': {
    username: 'user 3',
    type: 2,
    fromMs: START_MS + 86_400_123,
    toMs: NOW_MS - 86_400_321,
  },
};

/** The middle of five, and the processor time of this process, which a busy machine does not lengthen as much. */
const timed = async (work: () => Promise<unknown>): Promise<string> => {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let tried = 0; tried < TRIES; tried++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  const middle = times.sort((one, other) => one - other)[Math.floor(TRIES / 2)] ?? 0;
  return `${middle.toFixed(1).padStart(6)} ms (cpu ${((user + system) / 1000 / TRIES).toFixed(0).padStart(3)})`;
};

const measure = async (database: Database): Promise<void> => {
  const logs = createLogStore(database);
  for (const [name, filter] of Object.entries(filters)) {
    const { total } = await logs.page(filter, { page: 1, pageSize: 100 });
    const last = Math.max(1, Math.ceil(total / 100));
    const figures: string[] = [];
    for (const page of [1, Math.ceil(last / 2), last]) {
      figures.push(await timed(() => logs.page(filter, { page, pageSize: 100 })));
    }
    const byCost = { key: 'cost', isDescending: true };
    const sorted = await timed(() => logs.page(filter, { page: 2, pageSize: 100, sort: byCost }));
    const stat = await timed(() => logs.stat(filter, NOW_MS));
    const rate = await timed(async () => {
      const numbers = await numbersOf(database.reader, { ...filter, type: logType.consume });
      if (numbers !== undefined) await rates(database.reader, numbers, NOW_MS);
    });
    print(
      `${name.padEnd(24)} ${String(total).padStart(8)} rows  first ${figures[0]}  middle ${figures[1]}  last ${figures[2]}` +
        `  by cost ${sorted}  stat ${stat}  rpm, tpm ${rate}`,
    );
  }
};

const run = async (database: Database, rows: number): Promise<void> => {
  const start = performance.now();
  await fillMonth(database, rows);
  const { hours } = await database.reader
    .selectFrom('usage_hours')
    .select((is) => is.fn.countAll<number>().as('hours'))
    .executeTakeFirstOrThrow();
  print(
    `${database.engine}: ${rows} rows and ${hours} hourly sums in ${((performance.now() - start) / 1000).toFixed(0)} s`,
  );
  await measure(database);
  await database.close();
};

const rows = Number(process.argv[2] ?? 1_000_000);
const only = process.argv[3];
if (only !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-speed-'));
  await run(await openDatabase({ engine: 'sqlite', file: join(folder, 'speed.db') }), rows);
  rmSync(folder, { recursive: true });
}
if (only !== 'sqlite') {
  const server = await startPostgres();
  await run(await openDatabase({ engine: 'postgres', url: server.url }), rows);
  await server.stop();
}
