/*
 * What pages of long lists take: `node src/server/store/testing/page-speed.ts [rows] [sqlite|postgres]`. Prints the time of
 * the first, the middle and the last page of each list, the middle of five.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Page, PageRequest } from '#core/paging.ts';
import { createChannelStore } from '../channels/channel-store.ts';
import { createChannelBatchStore } from '../channels/channel-batch-store.ts';
import { type Database, openDatabase } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { createJournalStore } from '../ledger/journal-store.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createLogStore } from '../logs/log-store.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';
import { createTaskStore } from '../tasks/task-store.ts';
import { createRedemptionStore } from '../wallet/redemption-store.ts';
import { givenChannel, givenToken, givenUser } from './accounts.ts';
import { fillMonth, MONTH } from './month-of-calls.ts';
import { startPostgres } from './postgres-server.ts';
import { givenCode } from './vouchers.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const TRIES = 5;
const PAGE_SIZE = 20;
/** Of channels a site has fewer. */
const MOST_CHANNELS = 10_000;

/** Repeats a table's last row; `changed` has the columns that differ, with `i` for the number of the copy. */
const repeat = async (
  { writer }: Database,
  table: keyof Schema,
  times: number,
  changed: Readonly<Record<string, string>>,
): Promise<void> => {
  const [row] = await writer.selectFrom(table).selectAll().limit(1).execute();
  const columns = Object.keys(row ?? {}).filter((name) => name !== 'id');
  const values = columns.map((name) => changed[name] ?? `t.${name}`).join(', ');
  await sql
    .raw(
      `INSERT INTO ${table} (${columns.join(', ')})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${times})
      SELECT ${values} FROM n, (SELECT * FROM ${table} ORDER BY id DESC LIMIT 1) t`,
    )
    .execute(writer);
};

const fill = async (database: Database, rows: number): Promise<number> => {
  const ledger = createLedger(database);
  await fillMonth(database, rows);
  const owner = await givenUser(database, ledger, 10);
  await repeat(database, 'users', rows, {
    username: `'user' || i`,
    name_key: `'user' || i`,
    aff_code: `'code' || i`,
    quota: 'i % 99991',
    used_quota: 'i % 99989',
    request_count: 'i % 9973',
  });
  await givenToken(database, owner);
  await repeat(database, 'tokens', rows, {
    key_mac: `'mac' || i`,
    name: `'token ' || (i % 1000)`,
    remain_quota: 'i % 99991',
    used_quota: 'i % 99989',
    accessed_at: 'i % 99991',
  });
  await givenCode(database);
  await repeat(database, 'redemptions', rows, { key_mac: `'mac' || i`, name: `'code ' || (i % 1000)` });
  await repeat(database, 'journal', rows, { ref: `'ref' || i`, user_id: String(owner) });
  await sql
    .raw(
      `INSERT INTO tasks (${Object.keys(TASK).join(', ')}) VALUES (${Object.values(TASK)
        .map((value) => (typeof value === 'number' ? value : `'${value}'`))
        .join(', ')})`,
    )
    .execute(database.writer);
  await repeat(database, 'tasks', rows, { public_id: `'public' || i` });
  await givenChannel(database);
  const models = Array.from({ length: 200 }, (_, at) => `vendor/a-model-of-theirs-${at}`).join(',');
  await repeat(database, 'channels', Math.min(rows, MOST_CHANNELS), {
    name: `'channel ' || i`,
    models: `'${models}'`,
    priority: 'i % 10',
    tag: `'tag ' || (i % 3000)`,
  });
  await sql.raw(database.engine === 'postgres' ? 'VACUUM ANALYZE' : 'ANALYZE').execute(database.writer);
  await ledger.close();
  return owner;
};

const TASK: Readonly<Record<string, string | number>> = Object.fromEntries([
  ...['platform', 'public_id', 'upstream_id', 'username', 'token_name', 'group_name', 'model', 'action'].map(
    (name) => [name, name],
  ),
  ...['status', 'progress', 'prompt', 'prompt_en', 'description', 'caller_state', 'image_url'].map((name) => [
    name,
    name,
  ]),
  ...['fail_reason', 'notify_hook', 'buttons', 'properties', 'task_data', 'pricing'].map((name) => [
    name,
    '',
  ]),
  ...['user_id', 'token_id', 'channel_id', 'code', 'created_at', 'submitted_at', 'started_at'].map((name) => [
    name,
    1,
  ]),
  ...['finished_at', 'quota'].map((name) => [name, 1]),
]);

type List = (page: PageRequest) => Promise<Page<unknown>>;

const listsOf = (database: Database, owner: number): Readonly<Record<string, List>> => {
  const by = { id: 0, role: 100 };
  const users = createUserStore(database);
  const tokens = createTokenStore(database);
  const channels = createChannelStore(database);
  const logs = createLogStore(database);
  const month = { fromMs: MONTH.fromMs, toMs: MONTH.toMs };
  const sorted =
    (key: string, list: List): List =>
    (page) =>
      list({ ...page, sort: { key, isDescending: false } });
  const ofUsers: List = (page) => users.search({ keyword: '', group: '', by }, page);
  const ofTokens: List = (page) => tokens.list(owner, page);
  return {
    users: ofUsers,
    ...Object.fromEntries(
      ['name', 'quota', 'used', 'calls'].map((key) => [`users by ${key}`, sorted(key, ofUsers)]),
    ),
    tokens: ofTokens,
    ...Object.fromEntries(
      ['name', 'quota', 'used', 'accessed'].map((key) => [`tokens by ${key}`, sorted(key, ofTokens)]),
    ),
    codes: (page) => createRedemptionStore(database).list(page),
    tasks: (page) => createTaskStore(database).page({ platform: 'other' }, page),
    movements: (page) => createJournalStore(database).list(owner, page),
    logs: (page) => logs.page(month, page),
    'logs by cost': sorted('cost', (page) => logs.page(month, page)),
    channels: (page) => channels.page({ sortById: false }, page),
    'channels, newest first': (page) => channels.page({ sortById: true }, page),
    'channels by name': (page) =>
      channels.page({ sortById: false, sort: { key: 'name', isDescending: false } }, page),
    tags: (page) => createChannelBatchStore(database).pageOfTagSums({ sortById: false }, page),
  };
};

const measure = async (name: string, list: List): Promise<void> => {
  const { total } = await list({ page: 1, pageSize: PAGE_SIZE });
  const last = Math.ceil(total / PAGE_SIZE);
  const figures: string[] = [];
  for (const page of [1, Math.ceil(last / 2), last]) {
    const times: number[] = [];
    for (let tried = 0; tried < TRIES; tried += 1) {
      const beganMs = performance.now();
      await list({ page, pageSize: PAGE_SIZE });
      times.push(performance.now() - beganMs);
    }
    figures.push((times.sort((one, other) => one - other)[2] ?? 0).toFixed(1).padStart(8));
  }
  print(`${name.padEnd(26)} ${String(total).padStart(8)} rows ${figures.join(' ')} ms`);
};

const [rows = '100000', engine = 'sqlite'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tollgate-pages-'));
const server = engine === 'postgres' ? await startPostgres() : undefined;
const database = await openDatabase(
  server === undefined
    ? { engine: 'sqlite', file: join(folder, 'pages.db') }
    : { engine: 'postgres', url: server.url },
);
try {
  const owner = await fill(database, Number(rows));
  print(`${engine}, the first page, the middle one, the last one`);
  for (const [name, list] of Object.entries(listsOf(database, owner))) await measure(name, list);
} finally {
  await database.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
