import { setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { rowFile } from '../http/api/logs/row-files.ts';
import { asCopies, asObjects } from '../store/logs/exported-rows.ts';
import { exportLogs } from '../store/logs/log-export.ts';
import { readHere } from '../store/database/sqlite/read-here.ts';
import type { LogFileAsked, LogFileSaid } from './log-file-threads.ts';

const port = parentPort;
if (port === null) throw new Error('log-file-worker.ts runs as a worker thread');

/**
 * Under load it gets a tenth of the processor time of a thread that serves calls, so that calls do not wait for files.
 */
const NICE = 10;
// Only on Linux does this apply to the thread; elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(NICE);

/**
 * A million rows take 25 s at this pace, some 5 s of them at work. Without it, one call in eight beside a file took more than
 * 12 ms, because the thread kept a core, its caches and the engine's helper threads busy. Pieces are small because the
 * system lets a thread end its turn of some milliseconds before it wakes another one: with pieces of 2.4 ms, p99 of calls was
 * 9.9 ms beside a file and 7.1 alone, with 1 ms it is 5.9 and 7.7.
 */
const PIECE_EVERY_MS = 5;
/** Between two pieces even if the file is late, by as much as it may make up for. */
const LEAST_REST_MS = 2;
const MADE_UP_MS = 5000;

const { database, filter, file } = workerData as LogFileAsked;

const say = (said: LogFileSaid, transferred: ArrayBuffer[] = []): void => port.postMessage(said, transferred);

/** Each piece is made when the one before was sent. Starting the thread counts as the first request. */
let asked = 0;
let hear: (() => void) | undefined;
port.on('message', () => {
  asked += 1;
  hear?.();
});
const turn = async (): Promise<void> => {
  while (asked === 0)
    await new Promise<void>((resolve) => {
      hear = resolve;
    });
  asked -= 1;
};

await readHere(database).reading(async (tables) => {
  const found = await exportLogs(tables, filter, database.engine === 'postgres' ? asCopies : asObjects);
  const { pieces } = rowFile(found, file, 'elsewhere');
  const encoder = new TextEncoder();
  let dueMs = performance.now();
  const rest = async (): Promise<void> => {
    const nowMs = performance.now();
    await setTimeout(Math.max(LEAST_REST_MS, dueMs - nowMs));
    dueMs = Math.max(dueMs, nowMs - MADE_UP_MS) + PIECE_EVERY_MS;
  };
  for await (const piece of pieces()) {
    const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
    await turn();
    await rest();
    say(bytes, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
  }
  await turn();
  say(undefined);
});
port.close();
