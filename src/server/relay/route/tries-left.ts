import { isGone } from '#core/channel/keys/key-verdict.ts';
import { isUntaken, isWaitedFor } from '#core/channel/health/retry.ts';
import type { AppError } from '#core/error.ts';
import type { Chosen } from '../destination.ts';
import type { Tries } from './tries.ts';

/** The most refusals of keys and channels after which one call goes on: a refusal costs little time. */
const MOST_REFUSALS = 8;
/** So many keys that are revoked or out of money count as one: each of them refuses a single call. */
const GONE_KEYS = 10;

/** What matters of an attempt that failed. */
interface FailedTry {
  /** Another key of the channel may succeed. */
  readonly mayBeOfKey: boolean;
  readonly tookMs: number;
  /** Its channel was known to fail. */
  readonly isProbe: boolean;
  /** It refused the call, and may be refusing all. */
  readonly isDoubted?: boolean;
}

type Terms = Pick<Tries<unknown, Chosen>, 'isFree' | 'mostTries' | 'options' | 'canRepeat'>;

/** How many further attempts a call may make, by what allows them. */
export class TriesLeft {
  readonly #canRepeat: boolean;
  #refusals = MOST_REFUSALS;
  /** Whether it may leave a channel that did not take it. */
  readonly #mayLeave: boolean;
  /** After waits for channels that did not take the call. */
  #untaken: number;
  #retries: number;
  /** Whether it may leave a channel that was known to fail: its failure was to be expected. */
  #mayLeaveProbe: boolean;

  constructor({ isFree, mostTries, options, canRepeat }: Terms) {
    this.#canRepeat = canRepeat;
    this.#retries = isFree ? (mostTries ?? 1 + options.RetryTimes) - 1 : 0;
    this.#untaken = isFree && mostTries === undefined ? options['upstream_setting.silent_retries'] : 0;
    this.#mayLeave = this.#untaken > 0;
    this.#mayLeaveProbe = this.#mayLeave;
  }

  /**
   * Takes a further attempt after this failure; undefined if none is left.
   */
  take(
    error: AppError,
    { mayBeOfKey, tookMs, isProbe, isDoubted = false }: FailedTry,
  ): 'key' | 'untaken' | 'retry' | undefined {
    const isLeft = this.#mayLeave && (isDoubted || isUntaken(error, this.#canRepeat));
    if ((mayBeOfKey || (isLeft && !isWaitedFor(error, tookMs))) && this.#refusals > 0) {
      this.#refusals -= isGone(error) ? 1 / GONE_KEYS : 1;
      return mayBeOfKey ? 'key' : 'untaken';
    }
    if (this.#untaken > 0 && isLeft) {
      this.#untaken -= 1;
      return 'untaken';
    }
    if (isProbe && this.#mayLeaveProbe && this.#canRepeat && this.#retries <= 0) {
      this.#mayLeaveProbe = false;
      return 'untaken';
    }
    if (this.#retries <= 0) return undefined;
    this.#retries -= 1;
    return 'retry';
  }
}
