import { availableParallelism } from 'node:os';
import { type PreviewSums, sumsOfAll } from '#core/price-book/preview.ts';
import {
  type AgainAsked,
  type ChargeCallsAgain,
  piecesOf,
  type PricedCalls,
  type TimePiece,
} from '#core/price-book/priced-calls.ts';
import type { DatabaseConfig } from '../store/database/database.ts';
import { AskedThread } from './asked-thread.ts';

/** What a thread is started with: the database, and the prices to charge by. */
export interface PreviewWorkerData extends Pick<AgainAsked, 'now' | 'draft'> {
  readonly database: DatabaseConfig;
  /** Of when the list prices are. */
  readonly listAtMs: number;
}

export type PieceAsked = TimePiece;

/** The sums of one piece of time, and how many calls the thread has processed so far. */
export interface PieceDone {
  readonly calls: number;
  readonly quotaUnits: number;
  readonly added: number;
}

export interface SumsDone {
  readonly sums: PreviewSums;
  readonly names: ReadonlyMap<number, string>;
}

/** Each uses a whole processor core. */
const MOST_THREADS = 4;
/** Smaller pieces are not worth a message each. */
const LEAST_CALLS = 20_000;
/** Pieces differ in length, so each thread takes the next one when it is done. */
const PIECES_EACH = 12;

const threadsFor = (calls: number): number =>
  Math.max(1, Math.min(MOST_THREADS, availableParallelism(), Math.ceil(calls / LEAST_CALLS)));

/** A thread that processes one piece at a time. */
const chargingThread = (workerData: PreviewWorkerData, stopped: AbortSignal) =>
  new AskedThread<PieceAsked | 'finish', PieceDone | SumsDone>(
    new URL('./preview-worker.ts', import.meta.url),
    { name: 'preview', workerData, stopped },
  );

/** Charges calls again, in its own threads with their own database connections. */
export const createPreviewThreads =
  (database: DatabaseConfig, pricedCalls: Pick<PricedCalls, 'byHour'>): ChargeCallsAgain =>
  async ({ fromMs, toMs, now, draft }, { signal, progressed }) => {
    const hours = await pricedCalls.byHour(fromMs, toMs);
    const expected = [...hours.values()].reduce((sum, calls) => sum + calls, 0);
    const threads = threadsFor(expected);
    const each = Math.max(LEAST_CALLS, Math.ceil(expected / (threads * PIECES_EACH)));
    const pieces = piecesOf({ fromMs, toMs }, hours, each);
    const left = pieces.values();
    const all = { calls: 0, quotaUnits: 0 };
    const added: number[] = [];
    let done = 0;
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    const work = async (at: number): Promise<SumsDone> => {
      const thread = chargingThread({ database, now, draft, listAtMs: toMs }, stopped);
      try {
        for (const piece of left) {
          const { calls, quotaUnits, added: total } = await thread.ask<PieceDone>(piece);
          all.calls += calls;
          all.quotaUnits += quotaUnits;
          added[at] = total;
          done += 1;
          progressed(
            done / pieces.length,
            added.reduce((sum, one) => sum + one, 0),
          );
        }
        return await thread.ask<SumsDone>('finish');
      } catch (thrown) {
        // If one fails, the preview fails, so the others stop.
        stop.abort(thrown);
        throw thrown;
      } finally {
        await thread.end();
      }
    };
    const parts = await Promise.all(Array.from({ length: threads }, (_, at) => work(at)));
    return {
      ...all,
      sums: sumsOfAll(parts.map(({ sums }) => sums)),
      names: new Map(parts.flatMap(({ names }) => [...names])),
    };
  };
