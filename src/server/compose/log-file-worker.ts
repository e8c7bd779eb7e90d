import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { logFile, ROWS_A_LARGE_PIECE } from '../http/api/log-csv.ts';
import { exportLogs } from '../store/logs/log-export.ts';
import { readHere } from '../store/database/read-here.ts';
import type { LogFileAsked, LogFileSaid } from './log-file-threads.ts';

const port = parentPort;
if (port === null) throw new Error('log-file-worker.ts runs as a worker thread');

/** A tenth of the time that a thread which serves calls gets, where both want more than there is: nobody's answer waits for a file. */
const NICE = 10;
// Elsewhere than on Linux this would be said of the whole process.
if (process.platform === 'linux') setPriority(NICE);

const { database, filter, reader } = workerData as LogFileAsked;

const say = (said: LogFileSaid, transferred: ArrayBuffer[] = []): void => port.postMessage(said, transferred);

/** Each piece is made when the one before has gone out; the first was asked for when this began. */
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
  const { pieces } = logFile(await exportLogs(tables, filter), reader, ROWS_A_LARGE_PIECE);
  const encoder = new TextEncoder();
  for await (const piece of pieces()) {
    const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
    await turn();
    say(bytes, bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
  }
  await turn();
  say(undefined);
});
port.close();
