import type { HoldOutcome, Shortage } from '#core/ledger/ledger.ts';
import type { HoldPlan } from '#core/quota/afford.ts';

/** How long a call waits for money that other calls of its payer hold. */
const WAIT_MS = 10_000;
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
  /** Waits until another try is worthwhile. Returns false if the time is over or the call has ended. */
  turn(): Promise<boolean>;
  /** Leaves the queue; the next in line may try at once. */
  leave(): void;
}

const queueOf = ({ state }: Shortage, { user, token }: Payer): string =>
  state === 'token_short' && token !== undefined ? `t${String(token.id)}` : `u${String(user.id)}`;

/**
 * Calls that wait for quota held by running calls of the same payer, most of which will be given back. First come,
 * first served, for a bounded time. Only the first of a queue tries, so that a crowd does not ask the ledger again and
 * again.
 */
export class MoneyQueue {
  readonly #queues = new Map<string, Waiter[]>();
  /** The number of waiting calls of each user, for the account or any of its tokens. */
  readonly #ofUser = new Map<number, number>();
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Joins the queue; returns undefined if it is full. A running stream goes before all calls that have not begun: its
   * work would be lost otherwise, and its end gives quota back.
   */
  join(shortage: Shortage, payer: Payer, isOver: () => boolean, isRunning = false): QueuePlace | undefined {
    const name = queueOf(shortage, payer);
    const queue = this.#queues.get(name) ?? [];
    const ofUser = this.#ofUser.get(payer.user.id) ?? 0;
    if (!isRunning && (ofUser >= MOST_OF_USER || this.#waiting >= MOST_AT_ALL)) return undefined;
    const waiter: Waiter = {
      untilMs: performance.now() + WAIT_MS,
      isOver,
      isRunning,
      wake: undefined,
      isDue: false,
    };
    this.#queues.set(name, queue);
    const firstNew = isRunning ? queue.findIndex((other) => !other.isRunning) : -1;
    queue.splice(firstNew === -1 ? queue.length : firstNew, 0, waiter);
    this.#ofUser.set(payer.user.id, ofUser + 1);
    this.#waiting += 1;
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return {
      turn: () => turnOf(waiter, queue),
      leave: () => this.#leave(name, payer.user.id, waiter),
    };
  }

  /** Whether calls of this payer wait that have not begun: then nobody should hold more than it soon needs. */
  isCrowded({ user, token }: Payer): boolean {
    if (this.#waiting === 0) return false;
    const names = [`u${String(user.id)}`, ...(token === undefined ? [] : [`t${String(token.id)}`])];
    return names.some((name) => this.#queues.get(name)?.some(({ isRunning }) => !isRunning) === true);
  }

  /** Notes that a call of this payer has given back the quota it did not use. */
  release({ user, token }: Payer): void {
    if (this.#waiting === 0) return;
    wakeFirst(this.#queues.get(`u${String(user.id)}`));
    if (token !== undefined) wakeFirst(this.#queues.get(`t${String(token.id)}`));
  }

  #leave(name: string, userId: number, waiter: Waiter): void {
    const queue = this.#queues.get(name) ?? [];
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
    const nowMs = performance.now();
    for (const queue of this.#queues.values()) {
      for (const waiter of queue)
        if (waiter.isOver() || nowMs >= waiter.untilMs) {
          waiter.wake?.(false);
          waiter.wake = undefined;
        }
      wakeFirst(queue);
    }
  }
}

const turnOf = (waiter: Waiter, queue: readonly Waiter[]): Promise<boolean> => {
  if (waiter.isOver() || performance.now() >= waiter.untilMs) return Promise.resolve(false);
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
 * Makes a hold by a plan. If other calls hold the missing quota, waits in the queue.
 * @param ask tries to hold the plan's amount, or as much as is available down to the plan's least
 * @param prefersAll waits for the whole amount rather than take less at once
 */
export const patientHold = async (
  ask: (leastUnits: number) => Promise<HoldOutcome>,
  { quotaUnits, leastUnits = quotaUnits }: Pick<HoldPlan, 'quotaUnits' | 'leastUnits'>,
  prefersAll: boolean,
  join: (shortage: Shortage) => QueuePlace | undefined,
): Promise<HoldOutcome> => {
  let wanted = prefersAll ? quotaUnits : leastUnits;
  const attempt = async (): Promise<HoldOutcome> => {
    const outcome = await ask(wanted);
    if (wanted === leastUnits || !isShort(outcome) || mayCome(outcome, wanted)) return outcome;
    wanted = leastUnits;
    return ask(wanted);
  };
  let outcome = await attempt();
  if (!isShort(outcome) || !mayCome(outcome, wanted)) return outcome;
  const place = join(outcome);
  try {
    while ((await place?.turn()) === true) {
      outcome = await attempt();
      if (!isShort(outcome) || !mayCome(outcome, wanted)) return outcome;
    }
  } finally {
    place?.leave();
  }
  return wanted === leastUnits ? outcome : ask(leastUnits);
};
