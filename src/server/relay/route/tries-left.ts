import { isGone } from '#core/channel/keys/key-verdict.ts';
import { isUntaken, isWaitedFor } from '#core/channel/health/retry.ts';
import type { AppError } from '#core/error.ts';
import type { Chosen } from '../destination.ts';
import type { Tries } from './tries.ts';

/** How many refusals of keys and channels one call survives, because a refusal takes little time. */
const MOST_REFUSALS = 8;
/**
 * This many keys that are revoked or out of money count as one refusal, because each of them refuses only a single
 * call.
 */
const GONE_KEYS = 10;

/** The parts of a failed attempt that decide about another. */
interface FailedTry {
  /** Another key of the channel may succeed. */
  readonly mayBeOfKey: boolean;
  readonly tookMs: number;
  /** Its channel was known to fail before. */
  readonly isProbe: boolean;
  /** It refused this call, and may be refusing every call. */
  readonly isDoubted?: boolean;
}

type Terms = Pick<Tries<unknown, Chosen>, 'isFree' | 'mostTries' | 'options' | 'canRepeat'>;

/** How many further attempts a call may make, counted by reason. */
export class TriesLeft {
  readonly #canRepeat: boolean;
  #refusals = MOST_REFUSALS;
  /** Whether the call may leave a channel that did not accept it. */
  readonly #mayLeave: boolean;
  /** The attempts left after waits for channels that did not accept the call. */
  #untaken: number;
  #retries: number;
  /** Whether the call may leave a channel that was known to fail, because that failure was expected. */
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
