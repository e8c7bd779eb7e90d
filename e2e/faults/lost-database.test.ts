import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/server/store/database/database.ts';
import { brokenRules } from '../../src/server/store/testing/broken-rules.ts';
import { type RunningSimulator, startSimulator } from '../../src/simulator/start.ts';
import { makeChannel, makeToken, type Operator, setOption, setUp } from '../support/operator.ts';
import { projectRoot } from '../support/program.ts';
import { startTollgate, type Tollgate } from '../support/tollgate.ts';

/** If a thread of SQLite ends by itself, the process ends too, so that a supervisor can restart it. */

const MODEL = 'gpt-4o-mini';
const STREAMS = 10;

let simulator: RunningSimulator;
let dataDir: string;
let tollgate: Tollgate;
let key: string;

const start = (failing: string): Promise<Tollgate> =>
  startTollgate({
    dataDir,
    env: { FAILS_THREAD: failing },
    nodeFlags: ['--import', join(projectRoot, 'e2e/support/fails-thread.ts')],
  });

beforeEach(async () => {
  simulator = await startSimulator({ speed: 25 });
  dataDir = await mkdtemp(join(tmpdir(), 'tollgate-lost-'));
});
afterEach(async () => {
  await tollgate.program.end('SIGKILL');
  await simulator.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const fill = async (): Promise<Operator> => {
  const operator = await setUp(tollgate);
  await setOption(operator, 'ModelRatio', { [MODEL]: 1 });
  await makeChannel(operator, { name: 'slow', baseUrl: simulator.url, models: [MODEL] });
  ({ key } = await makeToken(operator));
  return operator;
};

const call = (words: number, stream: boolean): Promise<Response> =>
  fetch(`${tollgate.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream,
      messages: [{ role: 'user', content: `say ${'gate '.repeat(words)}` }],
    }),
  });

/** The state of the database before and after the next start. */
const looking = async <Result>(look: (database: Database) => Promise<Result>): Promise<Result> => {
  const database = await openDatabase({ engine: 'sqlite', file: join(dataDir, 'tollgate.db') });
  try {
    return await look(database);
  } finally {
    await database.close();
  }
};
const holdsOf = (database: Database) =>
  database.writer.selectFrom('holds').select(['id', 'state', 'checkpoint', 'log_id']).execute();
const notedHolds = async (): Promise<number> =>
  (await looking(holdsOf)).filter(({ checkpoint }) => checkpoint > 0).length;

/** How the process ended; 0 if it was still alive and ended only because it was asked to. */
const endedBy = async (signal: NodeJS.Signals): Promise<number | string> => {
  process.kill(tollgate.program.pid, signal);
  await tollgate.program.printed(/the database is lost to this process/);
  await expect
    .poll(() => fetch(`${tollgate.url}/readyz`).catch(() => 'nobody answers'))
    .toBe('nobody answers');
  return tollgate.program.end('SIGTERM');
};

test('a writer that ends by itself ends its process with the cause, and the next start closes each call once', async () => {
  tollgate = await start('sqlite, write');
  await fill();
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => call(2000, true)));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  await expect.poll(notedHolds).toBe(STREAMS);

  expect(await endedBy('SIGUSR2')).toBe('SIGKILL');
  expect(tollgate.program.output()).toMatch(
    /the database is lost to this process.*Cannot read properties of null/,
  );
  const cut = await Promise.allSettled(streams.map((stream) => stream.text()));
  expect(cut.map(({ status }) => status)).not.toContain('fulfilled');

  tollgate = await start('none');
  expect((await call(3, false)).status).toBe(200);
  await looking(async (database) => {
    const streamed = (await holdsOf(database)).filter(({ checkpoint }) => checkpoint > 0);
    expect(streamed.map(({ state, log_id }) => [state, log_id !== null])).toEqual(
      Array.from({ length: STREAMS }, () => ['settled', true]),
    );
    const rows = await database.writer
      .selectFrom('logs')
      .select('id')
      .where('type', '=', 2)
      .where(
        'request_id',
        'in',
        streamed.map(({ id }) => id),
      )
      .execute();
    expect(rows).toHaveLength(STREAMS);
    expect(await brokenRules(database)).toEqual([]);
  });
});

test('a reader that worked and ends also ends its process, so that lists of the console are readable again', async () => {
  tollgate = await start('sqlite, read, copy');
  const operator = await fill();
  await operator.call('/api/log');
  expect(await endedBy('SIGUSR2')).toBe('SIGKILL');
});
