/*
 * Measures how long a file of a million log rows takes, and how it affects concurrent calls: `node
 * src/server/http/testing/export-speed.ts [rows] [calls a second] [rounds] [sqlite|postgres]`.
 */
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { LedgerOp } from '#core/ledger/book.ts';
import { callLog } from '../../store/testing/accounts.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';
import { openScene } from './scene.ts';
import { startSmallUpstream } from './small-upstream.ts';

const [rows = 1_000_000, callsPerSecond = 40, rounds = 6] = process.argv.slice(2, 5).map(Number);
const isPostgres = process.argv[5] === 'postgres';
const BATCH = 2000;
const ALONE_MS = 20_000;
const START_MS = Date.now() - 30 * 86_400_000;
const STEP_MS = 2_000;
const HOURS_AT_ONCE = 240;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const at = (times: readonly number[], part: number): string =>
  `${(times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0).toFixed(1)} ms`;

const upstream = await startSmallUpstream();
const postgres = isPostgres ? await startPostgres() : undefined;
const scene = await openScene(postgres === undefined ? {} : { DATABASE_URL: postgres.url });
await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'gpt-4o-mini' });
const { user, key } = await scene.spender('caller', 2_000_000_000);
const { database, hourTotals } = scene.server.parts.stores;
for (let from = 0; from < rows; from += BATCH)
  await database.runLedger(
    Array.from({ length: Math.min(BATCH, rows - from) }, (_, n): LedgerOp => {
      const number = from + n;
      const log = callLog({
        requestId: `request-${number}`,
        createdAtMs: START_MS + number * STEP_MS,
        userId: user.id,
        username: user.username,
        model: `model ${number % 30}`,
        quotaUnits: 1000 + (number % 977),
      });
      return { op: 'note', log };
    }),
  );
// A site whose rows came one by one added up each hour as it ended. Done beside the file, that would disturb the calls.
while ((await hourTotals.addUpHours(Date.now(), HOURS_AT_ONCE)) > 0);
print(`${rows} rows are there`);

const call = async (): Promise<void> => {
  const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer sk-${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
  });
  if (response.status !== 200) throw new Error(await response.text());
  await response.arrayBuffer();
};

/** Receives a file in a thread of its own: what its hundred megabytes cost their reader is nothing that calls wait for. */
const receive = async (url: string, headers: object): Promise<number> => {
  const reader = new Worker(RECEIVE, { eval: true, workerData: { url, headers } });
  const [bytes] = (await once(reader, 'message')) as [number];
  return bytes;
};

const RECEIVE = `
  const { parentPort, workerData: { url, headers } } = require('node:worker_threads');
  require('node:http').get(url, { headers }, (answer) => {
    let bytes = 0;
    answer.on('data', (piece) => (bytes += piece.length));
    answer.on('end', () => parentPort.postMessage(bytes));
  });
`;

/** Calls at a steady rate, however long earlier calls took, until `isOver`. */
const callUntil = async (isOver: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const beganMs = performance.now();
  for (let count = 0; !isOver(); count += 1) {
    const dueMs = beganMs + (count * 1000) / callsPerSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    running.push(call().then(() => void times.push(performance.now() - dueMs)));
  }
  await Promise.all(running);
  return times;
};

/**
 * Measures how long this thread blocked others, and the share of time it worked. Other programs' load does not count.
 */
const watch = () => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.threadCpuUsage();
  const beganMs = performance.now();
  return (): string => {
    const { user: own, system } = process.threadCpuUsage(before);
    const share = (own + system) / 1000 / (performance.now() - beganMs);
    delay.disable();
    const hold = (part: number): string => `${(delay.percentile(part) / 1e6).toFixed(1)} ms`;
    return `loop held p50 ${hold(50)}, p99 ${hold(99)}, p99.9 ${hold(99.9)}; processor ${(share * 100).toFixed(0)} %`;
  };
};

const stopAfter = (ms: number) => {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
};

const all = { alone: [] as number[], beside: [] as number[] };
await callUntil(stopAfter(3000));
const round = async (): Promise<void> => {
  const aloneLoop = watch();
  const alone = await callUntil(stopAfter(ALONE_MS));
  const aloneHeld = aloneLoop();
  const besideLoop = watch();
  let isDone = false;
  const beganMs = performance.now();
  const file = async (): Promise<number> => {
    const url = `${scene.server.url}/api/log/self/export`;
    const bytes = await receive(url, await scene.stage.session(user));
    isDone = true;
    return bytes;
  };
  const [beside, bytes] = await Promise.all([callUntil(() => isDone), file()]);
  const besideHeld = besideLoop();
  const seconds = (performance.now() - beganMs) / 1000;
  print(`file of ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`);
  print(`calls alone: p50 ${at(alone, 0.5)}, p99 ${at(alone, 0.99)} of ${alone.length}; ${aloneHeld}`);
  print(`calls beside: p50 ${at(beside, 0.5)}, p99 ${at(beside, 0.99)} of ${beside.length}; ${besideHeld}`);
  all.alone.push(...alone);
  all.beside.push(...beside);
};
for (let count = 0; count < rounds; count += 1) await round();
// A round's p99 rests on its eight slowest calls, so single rounds differ by a half.
print(`all rounds: p99 ${at(all.alone, 0.99)} alone, ${at(all.beside, 0.99)} beside`);
await scene.close();
await postgres?.stop();
await upstream.close();
