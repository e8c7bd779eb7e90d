import { isGone } from '#core/channel/keys/key-verdict.ts';
import { isUntaken } from '#core/channel/health/retry.ts';
import type { AppError } from '#core/error.ts';
import type { Chosen } from '../trial.ts';
import type { Tries } from './tries.ts';

/** The most additional keys one call may try beside its other tries: a refused key costs little time. */
const MOST_KEYS = 8;
/** So many keys that are revoked or out of money count as one: each of them refuses a single call. */
const GONE_KEYS = 10;

type Terms = Pick<Tries<unknown, Chosen>, 'isFree' | 'mostTries' | 'options' | 'canRepeat'>;

/** How many further attempts a call may make, by what allows them. */
export class TriesLeft {
  readonly #canRepeat: boolean;
  #keys = MOST_KEYS;
  /** After failures of channels that did not take the call. */
  #untaken: number;
  #retries: number;

  constructor({ isFree, mostTries, options, canRepeat }: Terms) {
    this.#canRepeat = canRepeat;
    this.#retries = isFree ? (mostTries ?? 1 + options.RetryTimes) - 1 : 0;
    this.#untaken = isFree && mostTries === undefined ? options['upstream_setting.silent_retries'] : 0;
  }

  /**
   * Takes a further attempt after this failure; undefined if none is left.
   * @param mayBeOfKey another key of the channel may succeed
   */
  take(error: AppError, mayBeOfKey: boolean): 'key' | 'untaken' | 'retry' | undefined {
    if (mayBeOfKey && this.#keys > 0) {
      this.#keys -= isGone(error) ? 1 / GONE_KEYS : 1;
      return 'key';
    }
    if (this.#untaken > 0 && isUntaken(error, this.#canRepeat)) {
      this.#untaken -= 1;
      return 'untaken';
    }
    if (this.#retries <= 0) return undefined;
    this.#retries -= 1;
    return 'retry';
  }
}
