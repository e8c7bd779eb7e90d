import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Preview } from '#core/price-book/preview.ts';
import { loadPriceCatalogue } from '../control/wallet/price-catalogue.ts';
import { createPricedCalls } from '../store/logs/packs/priced-calls.ts';
import { readHere } from '../store/database/sqlite/read-here.ts';
import type { PieceAsked, PieceDone, PreviewWorkerData, SumsDone } from './preview-threads.ts';

const port = parentPort;
if (port === null) throw new Error('preview-worker.ts runs as a worker thread');

/** Under load it gets half the processor time of a thread that serves calls. */
const NICE = 3;
// Only on Linux does this apply to the thread; elsewhere it would apply to the whole process.
if (process.platform === 'linux') setPriority(NICE);

const { database, now, draft, listAtMs } = workerData as PreviewWorkerData;
const catalogue = (await loadPriceCatalogue()).at(listAtMs);
const names = new Map<number, string>();
const preview = new Preview(
  { options: now, catalogue },
  { options: draft, catalogue },
  (id) => names.get(id) ?? '',
);
const pricedCalls = createPricedCalls(readHere(database));

const add = async (asked: PieceAsked): Promise<PieceDone> => {
  const all = await pricedCalls.read(asked.fromMs, asked.toMs, (calls, known) => {
    for (const [id, name] of known) names.set(id, name);
    preview.add(calls);
  });
  return { ...all, added: preview.totals.calls };
};

port.on('message', (asked: PieceAsked | 'finish') => {
  if (asked === 'finish') {
    const { totals, byModel, byUser, byDay } = preview;
    port.postMessage({ sums: { totals, byModel, byUser, byDay }, names } satisfies SumsDone);
    return;
  }
  void add(asked).then(
    (done) => port.postMessage(done),
    // The parent sees the error when the thread ends.
    (thrown: unknown) =>
      setImmediate(() => {
        throw thrown;
      }),
  );
});
