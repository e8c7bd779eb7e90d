import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { addressKey } from '#core/address-key.ts';
import { AppError } from '#core/error.ts';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';
import {
  errorFromWire,
  type FarAnswers,
  type FarDesk,
  type FarError,
  type FarQuestion,
  type FarThreads,
  type AnswerKind,
} from '../relay/far/far-wire.ts';

/** A message to a thread; without a question it only closes the desk. */
export interface FarRequest {
  readonly id: number;
  readonly desk: number;
  readonly question?: FarQuestion;
}

/** A thread's answer to the question with that id, or its error. */
export interface FarSaid {
  readonly id: number;
  readonly answer?: FarAnswers[FarQuestion['kind']];
  readonly error?: FarError;
}

/**
 * The most calls in one thread at once, each until its answer is sent. Their memory counts as part of all bodies;
 * places are limited too, so that one user's many small calls cannot take all of them.
 */
const MOST_DESKS = 128;
/** More would take CPU time from the threads that answer calls. */
const MOST_THREADS = 4;

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: AppError) => void;
}

const lost = (cause: unknown): AppError =>
  new AppError('unavailable', 'the request could not be read, try again', { retryAfterSeconds: 2, cause });

class FarThread {
  readonly #worker = new Worker(new URL('./far-worker.ts', import.meta.url), { name: 'far', execArgv: [] });
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #sentWords = '';
  #dead: AppError | undefined;
  readonly desks = new Set<number>();

  constructor() {
    this.#worker.on('message', ({ id, answer, error }: FarSaid) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(answer);
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
      ask: (question) => this.#ask(question, desk),
      leave: () => {
        share.release();
        if (this.desks.delete(desk) && !this.isDead)
          this.#worker.postMessage({ id: 0, desk } satisfies FarRequest);
      },
    };
  }

  /** Questions not answered yet. */
  get busy(): number {
    return this.#waiting.size;
  }

  async hear<Kind extends AnswerKind>(
    question: Extract<FarQuestion, { kind: Kind }>,
  ): Promise<FarAnswers[Kind] | undefined> {
    try {
      return await this.#ask(question, 0);
    } catch (thrown) {
      if (thrown === this.#dead) return undefined;
      throw thrown;
    }
  }

  #ask<Kind extends FarQuestion['kind']>(
    question: Extract<FarQuestion, { kind: Kind }>,
    desk: number,
  ): Promise<FarAnswers[Kind]> {
    const answered = new Promise<unknown>((resolve, reject) => {
      if (this.#dead !== undefined) return reject(this.#dead);
      const id = ++this.#lastId;
      const request: FarRequest = { id, desk, question: this.#lean(question) };
      this.#worker.postMessage(request, 'bytes' in question ? [question.bytes.buffer as ArrayBuffer] : []);
      this.#waiting.set(id, { resolve, reject });
    });
    // The thread answers each kind of question with its kind of answer.
    return answered as Promise<FarAnswers[Kind]>;
  }

  async close(): Promise<void> {
    this.#die(new Error('closed'));
    await this.#worker.terminate();
  }

  /** A long word list is sent to the thread only once. */
  #lean(question: FarQuestion): FarQuestion {
    if (question.kind !== 'read' || question.words === undefined) return question;
    const { SensitiveWords } = question.words;
    // Without words nothing is looked for; an empty list means the one sent before.
    if (SensitiveWords === '') return { ...question, words: undefined };
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

/**
 * Threads for bodies too large for a relay's thread: started on demand, and the least busy is used first. The relays of
 * a process divide the threads that the machine allows among them.
 */
export const createFarThreads = (relays = 1): FarThreads => {
  const most = Math.max(1, Math.floor(Math.min(MOST_THREADS, availableParallelism() - 1) / relays));
  const threads: FarThread[] = [];
  const room = new SharedRoom(MOST_DESKS * most);
  let lastDesk = 0;
  let isClosed = false;
  /** The thread with the least load; a new one if all are busy and there may be more. */
  const least = (load: (thread: FarThread) => number): FarThread => {
    const alive = threads.filter(({ isDead }) => !isDead);
    const idlest = alive.toSorted((one, other) => load(one) - load(other))[0];
    if (idlest !== undefined && (load(idlest) === 0 || alive.length >= most)) return idlest;
    const thread = new FarThread();
    threads.splice(0, threads.length, ...alive, thread);
    return thread;
  };
  return {
    open: (userId, ip) => {
      const thread = least(({ desks }) => desks.size);
      if (thread.desks.size >= MOST_DESKS)
        throw new AppError('unavailable', 'too many large requests at once, try again', {
          retryAfterSeconds: 2,
        });
      const share = new RoomShare(room, userId, addressKey(ip));
      share.take(1);
      return thread.open(++lastDesk, share);
    },
    hear: async (question) => (isClosed ? undefined : least(({ busy }) => busy).hear(question)),
    close: async () => {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
};
