import { isMessageKey, type PhraseValues } from '#contract/messages.ts';
import { sayError } from '../control/refuse.ts';
import type { CompareFile, CompareJob } from '../http/api/wallet/reconcile.ts';
import type { ComparedWire } from '../http/api/wallet/reconcile-wire.ts';
import type { DatabaseConfig } from '../store/database/database.ts';
import { AskedThread } from './asked-thread.ts';

/** What a thread is started with. */
export interface ReconcileWorkerData extends CompareJob {
  readonly database: DatabaseConfig;
}

/** A piece of the upstream's file; its end; the wish for the next piece of the result's file. */
export type ReconcileTold = { readonly piece: Uint8Array } | 'end' | 'next';

/** The answer to each of them, in this order; or why the file cannot be compared. */
export type ReconcileSaid =
  | 'read'
  | { readonly wire: ComparedWire; readonly rows: number }
  | { readonly bytes: Uint8Array | undefined }
  | { readonly refused: string; readonly values: PhraseValues };

/** For a million rows on both sides. */
const MEMORY_MAX_MB = 1024;
const RETRY_AFTER_SECONDS = 5;

/** A thread that reads and compares one file. */
class ReconcileThread {
  readonly #thread: AskedThread<ReconcileTold, ReconcileSaid>;

  constructor(workerData: ReconcileWorkerData) {
    this.#thread = new AskedThread(new URL('./reconcile-worker.ts', import.meta.url), {
      name: 'reconcile',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB },
      failureOf: (thrown) =>
        thrown.code === 'ERR_WORKER_OUT_OF_MEMORY' ? sayError('invalid_request', 'reconcile_memory') : thrown,
    });
  }

  /** Throws why the file cannot be compared. */
  async tell(told: ReconcileTold): Promise<Exclude<ReconcileSaid, { readonly refused: string }>> {
    const said = await this.#thread.ask<ReconcileSaid>(told);
    if (typeof said === 'object' && 'refused' in said) {
      if (isMessageKey(said.refused)) throw sayError('invalid_request', said.refused, said.values);
      throw new Error(said.refused);
    }
    return said;
  }

  end(): Promise<void> {
    return this.#thread.end();
  }
}

/** Compares files in a thread of their own with its own connection, which may not take more than a gigabyte; one at a time. */
export const createReconcileThreads = (database: DatabaseConfig): CompareFile => {
  let isBusy = false;
  return async (job, file) => {
    if (isBusy)
      throw sayError('rate_limited', 'reconcile_running', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    isBusy = true;
    const thread = new ReconcileThread({ database, ...job });
    let isOver = false;
    const end = async (): Promise<void> => {
      if (isOver) return;
      isOver = true;
      await thread.end();
      isBusy = false;
    };
    try {
      for await (const piece of file) await thread.tell({ piece });
      const said = await thread.tell('end');
      if (typeof said !== 'object' || !('wire' in said)) throw new Error('a comparison ended without result');
      return { ...said, end, pieces: () => piecesOf(thread, end) };
    } catch (thrown) {
      await end();
      throw thrown;
    }
  };
};

/** The result's file. A generator that is ended before it began runs nothing, so its end is told apart. */
const piecesOf = (thread: ReconcileThread, end: () => Promise<void>): AsyncGenerator<Uint8Array, void> => {
  const pieces = nextPieces(thread);
  const ended = pieces.return.bind(pieces);
  pieces.return = async (value) => {
    await end();
    return ended(value);
  };
  return pieces;
};

async function* nextPieces(thread: ReconcileThread): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const said = await thread.tell('next');
    if (typeof said !== 'object' || !('bytes' in said) || said.bytes === undefined) return;
    yield said.bytes;
  }
}
