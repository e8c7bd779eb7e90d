import type { Clock } from '#core/clock.ts';
import type { HoldOutcome, Shortage } from '#core/ledger/ledger.ts';
import type { Amounts } from '#core/quota/afford.ts';
import { UsualAnswers } from './usual-answers.ts';

/**
 * How long a running stream waits for quota that other calls of its payer hold. Its caller sees the stream stop
 * meanwhile.
 */
const RUNNING_WAIT_MS = 10_000;
/** How often to check for quota given back by other nodes, tasks and conversations, which do not notify this queue. */
const LOOK_MS = 250;
const MOST_OF_USER = 256;
const MOST_AT_ALL = 4096;

/** The account or token whose quota a call waits for. */
interface Payer {
  readonly user: { readonly id: number };
  readonly token: { readonly id: number } | undefined;
}

interface Waiter {
  readonly untilMs: number;
  readonly isOver: () => boolean;
  readonly isRunning: boolean;
  wake: ((hasTurn: boolean) => void) | undefined;
  /** Quota was given back since the last try. */
  isDue: boolean;
}

/** A place in the queue of one payer. */
export interface QueuePlace {
  /**
   * Waits until another try is worthwhile. Returns false if the time is over or the call has ended.
   * @param shortage the result of the last try
   */
  turn(shortage: Shortage): Promise<boolean>;
  /** Leaves the queue; the next in line may try at once. */
  leave(): void;
}

/** The calls that wait for one payer's quota, first come first. */
interface Queue {
  readonly waiters: Waiter[];
  /** What the payer had at the last try, together with what running calls hold. */
  totalUnits: number;
}

const queueOf = ({ state }: Shortage, { user, token }: Payer): string =>
  state === 'token_short' && token !== undefined ? `t${String(token.id)}` : `u${String(user.id)}`;

/**
 * Calls that wait for quota held by running calls of the same payer, most of which will be given back. First come,
 * first served, for a bounded time. Only the first of a queue tries, so that a crowd does not ask the ledger again and
 * again.
 */
export class MoneyQueue {
  readonly usual = new UsualAnswers();
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #queues = new Map<string, Queue>();
  /** The number of waiting calls of each user, for the account or any of its tokens. */
  readonly #ofUser = new Map<number, number>();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Joins the queue; returns undefined if it is full. A running stream goes before all calls that have not begun: its
   * work would be lost otherwise, and its end gives quota back.
   * @param waitMs how long a call that has not begun waits
   */
  join(
    shortage: Shortage,
    payer: Payer,
    isOver: () => boolean,
    waitMs: number | 'running',
  ): QueuePlace | undefined {
    const isRunning = waitMs === 'running';
    const name = queueOf(shortage, payer);
    const queue = this.#queues.get(name) ?? { waiters: [], totalUnits: 0 };
    const { waiters } = queue;
    const ofUser = this.#ofUser.get(payer.user.id) ?? 0;
    if (!isRunning && (waitMs === 0 || ofUser >= MOST_OF_USER || this.#waiting >= MOST_AT_ALL))
      return undefined;
    const waiter: Waiter = {
      untilMs: this.#clock.monotonic() + (isRunning ? RUNNING_WAIT_MS : waitMs),
      isOver,
      isRunning,
      wake: undefined,
      isDue: false,
    };
    this.#queues.set(name, queue);
    const firstNew = isRunning ? waiters.findIndex((other) => !other.isRunning) : -1;
    waiters.splice(firstNew === -1 ? waiters.length : firstNew, 0, waiter);
    this.#ofUser.set(payer.user.id, ofUser + 1);
    this.#waiting += 1;
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return {
      turn: ({ availableUnits, heldUnits }) => {
        queue.totalUnits = availableUnits + heldUnits;
        return turnOf(waiter, waiters, this.#clock.monotonic());
      },
      leave: () => this.#leave(name, payer.user.id, waiter),
    };
  }

  /** Whether calls of this payer that have not begun are waiting. Then no call should hold more than it soon needs. */
  isCrowded(payer: Payer): boolean {
    return this.shareOf(payer) !== undefined;
  }

  /**
   * What each call of this payer would get if the waiting ones and one more shared all quota; undefined unless a call
   * that has not begun waits.
   */
  shareOf({ user, token }: Payer): number | undefined {
    if (this.#waiting === 0) return undefined;
    const ofUser = shareIn(this.#queues.get(`u${String(user.id)}`));
    const ofToken = token === undefined ? undefined : shareIn(this.#queues.get(`t${String(token.id)}`));
    return ofUser === undefined || ofToken === undefined ? (ofUser ?? ofToken) : Math.min(ofUser, ofToken);
  }

  /** Notes that a call of this payer has given back the quota it did not use. */
  release({ user, token }: Payer): void {
    if (this.#waiting === 0) return;
    wakeFirst(this.#queues.get(`u${String(user.id)}`)?.waiters);
    if (token !== undefined) wakeFirst(this.#queues.get(`t${String(token.id)}`)?.waiters);
  }

  #leave(name: string, userId: number, waiter: Waiter): void {
    const queue = this.#queues.get(name)?.waiters ?? [];
    const at = queue.indexOf(waiter);
    if (at === -1) return;
    queue.splice(at, 1);
    this.#waiting -= 1;
    const ofUser = (this.#ofUser.get(userId) ?? 0) - 1;
    if (ofUser > 0) this.#ofUser.set(userId, ofUser);
    else this.#ofUser.delete(userId);
    if (queue.length === 0) this.#queues.delete(name);
    if (at === 0) wakeFirst(queue);
    if (this.#waiting > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const nowMs = this.#clock.monotonic();
    for (const { waiters } of this.#queues.values()) {
      for (const waiter of waiters)
        if (waiter.isOver() || nowMs >= waiter.untilMs) {
          waiter.wake?.(false);
          waiter.wake = undefined;
        }
      wakeFirst(waiters);
    }
  }
}

const shareIn = (queue: Queue | undefined): number | undefined => {
  const waiting = queue?.waiters.filter(({ isRunning }) => !isRunning).length ?? 0;
  return queue === undefined || waiting === 0 ? undefined : Math.floor(queue.totalUnits / (waiting + 1));
};

const turnOf = (waiter: Waiter, queue: readonly Waiter[], nowMs: number): Promise<boolean> => {
  if (waiter.isOver() || nowMs >= waiter.untilMs) return Promise.resolve(false);
  if (waiter.isDue && queue[0] === waiter) {
    waiter.isDue = false;
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    waiter.wake = resolve;
  });
};

const wakeFirst = (queue: readonly Waiter[] | undefined): void => {
  const first = queue?.[0];
  if (first === undefined) return;
  const { wake } = first;
  first.wake = undefined;
  if (wake === undefined) first.isDue = true;
  else wake(true);
};

const isShort = (outcome: HoldOutcome): outcome is Shortage =>
  typeof outcome === 'object' && outcome.state !== 'held';

/** Whether the quota would suffice if all running calls gave back what they hold. */
const mayCome = ({ availableUnits, heldUnits }: Shortage, wantedUnits: number): boolean =>
  heldUnits > 0 && availableUnits + heldUnits >= wantedUnits;

/**
 * Makes a hold. If other calls hold the missing quota, waits in the queue.
 * @param ask tries to hold the amount, or as much as is available down to the least
 * @param amounts the amounts to ask for now, the best first. Later ones are for payers who can never have the best, and
 * are computed only when they are needed
 * @param refine computes the amounts again with more effort; returns whether they are smaller now
 */
export const patientHold = async (
  ask: (amounts: Amounts) => Promise<HoldOutcome>,
  amounts: () => Iterable<Amounts>,
  join: (shortage: Shortage) => QueuePlace | undefined,
  refine: () => boolean | Promise<boolean>,
): Promise<HoldOutcome> => {
  let outcome: HoldOutcome | undefined;
  let isRefined = false;
  let place: QueuePlace | undefined;
  try {
    for (;;) {
      let isWorthWaiting = false;
      for (const each of amounts()) {
        outcome = await ask(each);
        if (!isShort(outcome)) return outcome;
        isWorthWaiting = mayCome(outcome, each.leastUnits);
        if (isWorthWaiting) break;
      }
      if (outcome === undefined || !isShort(outcome)) throw new Error('there is nothing to ask for');
      if (!isRefined) {
        isRefined = true;
        if (await refine()) continue;
      }
      if (!isWorthWaiting) return outcome;
      place ??= join(outcome);
      if ((await place?.turn(outcome)) !== true) break;
    }
  } finally {
    place?.leave();
  }
  // The time is over: takes what is available, if that is enough.
  const last = [...amounts()].at(-1);
  return last === undefined ? outcome : ask(last);
};
