import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#core/error.ts';
import { Reconciliation } from '#core/reconcile/reconciliation.ts';
import { comparedPieces, comparedRows, comparedWire } from '../http/api/wallet/reconcile-wire.ts';
import { eachChannelCall } from '../store/logs/channel-calls.ts';
import { readHere } from '../store/database/sqlite/read-here.ts';
import type { ReconcileSaid, ReconcileTold, ReconcileWorkerData } from './reconcile-threads.ts';

const port = parentPort;
if (port === null) throw new Error('reconcile-worker.ts runs as a worker thread');

/** Under load it gets a tenth of the processor time of a thread that serves calls. */
const NICE = 10;
// Only on Linux does this apply to the thread; elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(NICE);

const { database, asked, channelIds, list } = workerData as ReconcileWorkerData;
const reconciliation = new Reconciliation(asked);
const encoder = new TextEncoder();
let lines: Generator<string, void> | undefined;

const compare = async (): Promise<ReconcileSaid> => {
  const span = reconciliation.endFile();
  const calls = {
    channelIds,
    fromMs: span.fromMs - span.paddingMs,
    untilMs: span.untilMs + span.paddingMs,
  };
  const failed = await readHere(database).reading((reader) =>
    eachChannelCall(reader, calls, (call) => reconciliation.addOwn(call)),
  );
  const result = reconciliation.compare();
  lines = comparedPieces(result, list);
  return { wire: comparedWire(result, span, failed), rows: comparedRows(result, list) };
};

const answer = async (told: ReconcileTold): Promise<ReconcileSaid> => {
  if (told === 'end') return compare();
  if (told === 'next') {
    const next = lines?.next();
    return { bytes: typeof next?.value === 'string' ? encoder.encode(next.value) : undefined };
  }
  reconciliation.addPiece(told.piece);
  return 'read';
};

port.on('message', (told: ReconcileTold) => {
  void answer(told)
    .catch((thrown: unknown): ReconcileSaid => {
      if (thrown instanceof AppError && thrown.code === 'invalid_request')
        return { refused: thrown.reason ?? '', values: thrown.values ?? {} };
      throw thrown;
    })
    .then(
      (said) => port.postMessage(said),
      // The parent sees the error when the thread ends.
      (thrown: unknown) =>
        setImmediate(() => {
          throw thrown;
        }),
    );
});
