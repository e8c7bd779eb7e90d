import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { addressKey } from '#core/address-key.ts';
import { AppError } from '#core/error.ts';
import { RoomShare, SharedRoom } from '../http/shared-room.ts';
import {
  errorFromWire,
  type FarAnswers,
  type FarDesk,
  type FarError,
  type FarQuestion,
  type FarThreads,
} from '../relay/far/far-wire.ts';

/** What is sent to a thread; without a question the desk is left. */
export interface FarRequest {
  readonly id: number;
  readonly desk: number;
  readonly question?: FarQuestion;
}

export interface FarReply {
  readonly id: number;
  readonly answer?: FarAnswers[FarQuestion['kind']];
  readonly error?: FarError;
}

/**
 * Calls that may be with one thread at once, each until its answer has left: what they hold there is counted with the
 * bodies of all calls. Small ones would let one user have all of these, so that they are shared out as well.
 */
const MOST_DESKS = 128;
/** More would take the processor from those who answer. */
const MOST_THREADS = 4;

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: AppError) => void;
}

const lost = (cause: unknown): AppError =>
  new AppError('unavailable', 'the request could not be read, try again', { retryAfterSeconds: 2, cause });

class FarThread {
  readonly #worker = new Worker(new URL('./far-worker.ts', import.meta.url), { execArgv: [] });
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #sentWords = '';
  #dead: AppError | undefined;
  readonly desks = new Set<number>();

  constructor() {
    this.#worker.on('message', ({ id, answer, error }: FarReply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(answer as never);
      else waiting?.reject(errorFromWire(error));
    });
    this.#worker.on('error', (thrown) => this.#die(thrown));
    this.#worker.on('exit', (code) => this.#die(new Error(`a thread ended with ${code}`)));
    this.#worker.unref();
  }

  get isDead(): boolean {
    return this.#dead !== undefined;
  }

  open(desk: number, share: RoomShare): FarDesk {
    this.desks.add(desk);
    return {
      ask: (question) =>
        new Promise((resolve, reject) => {
          if (this.#dead !== undefined) return reject(this.#dead);
          const id = ++this.#lastId;
          this.#waiting.set(id, { resolve, reject });
          const request: FarRequest = { id, desk, question: this.#lean(question) };
          this.#worker.postMessage(
            request,
            'bytes' in question ? [question.bytes.buffer as ArrayBuffer] : [],
          );
        }),
      leave: () => {
        share.release();
        if (this.desks.delete(desk) && !this.isDead)
          this.#worker.postMessage({ id: 0, desk } satisfies FarRequest);
      },
    };
  }

  async close(): Promise<void> {
    this.#die(new Error('closed'));
    await this.#worker.terminate();
  }

  /** A long list of words goes there once. */
  #lean(question: FarQuestion): FarQuestion {
    if (question.kind !== 'read' || question.words === undefined) return question;
    const { SensitiveWords } = question.words;
    if (SensitiveWords === this.#sentWords)
      return { ...question, words: { ...question.words, SensitiveWords: '' } };
    this.#sentWords = SensitiveWords;
    return question;
  }

  #die(cause: unknown): void {
    this.#dead ??= lost(cause);
    for (const { reject } of this.#waiting.values()) reject(this.#dead);
    this.#waiting.clear();
  }
}

/** Threads for bodies that are too much for the main one: started when they are wanted, the least busy first. */
export const createFarThreads = (): FarThreads => {
  const most = Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1));
  const threads: FarThread[] = [];
  const room = new SharedRoom(MOST_DESKS * most);
  let lastDesk = 0;
  return {
    open: (userId, ip) => {
      const alive = threads.filter(({ isDead }) => !isDead);
      const idlest = alive.toSorted((one, other) => one.desks.size - other.desks.size)[0];
      const isFree = idlest !== undefined && (idlest.desks.size === 0 || alive.length >= most);
      const thread = isFree ? idlest : new FarThread();
      if (!isFree) threads.splice(0, threads.length, ...alive, thread);
      if (thread.desks.size >= MOST_DESKS)
        throw new AppError('unavailable', 'too many large requests at once, try again', {
          retryAfterSeconds: 2,
        });
      const share = new RoomShare(room, userId, addressKey(ip));
      share.take(1);
      return thread.open(++lastDesk, share);
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
};
