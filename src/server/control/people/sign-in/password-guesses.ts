import { addressKey } from '#core/address-key.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import { nameKey } from '#core/user/name-key.ts';
import { countOrRefuse } from '../../refuse.ts';

/** Limits of password guesses, counted three ways. */
export interface GuessLimits {
  /** For one account from one address; for the own account by a signed-in user. */
  readonly fromAddress: RateLimiter;
  /** For one account from a browser its owner has signed in from. */
  readonly fromDevice: RateLimiter;
  /** For one account from everywhere else together: a much higher limit. */
  readonly fromAnywhere: RateLimiter;
}

/** A sign-in attempt. */
export interface Guess {
  /** As typed: an existing name must be counted like one that does not exist. */
  readonly name: string;
  readonly ip: string;
  /** The number of a browser known to the account. */
  readonly device: string | undefined;
}

export type PasswordGuesses = ReturnType<typeof createPasswordGuesses>;

/**
 * Slows guessing without letting strangers lock the owner out: each address has a small limit, a known browser has its
 * own, and guesses from many addresses share one more (docs/decisions/0012).
 */
export const createPasswordGuesses = ({ fromAddress, fromDevice, fromAnywhere }: GuessLimits) => {
  /** Every spelling that signs in to the same account. */
  const folded = (name: string): string => nameKey(name.trim());
  const addressOf = ({ name, ip }: Pick<Guess, 'name' | 'ip'>): string =>
    JSON.stringify([folded(name), addressKey(ip)]);
  const deviceOf = (name: string, device: string): string => JSON.stringify([folded(name), device]);

  return {
    /** Counts a guess before it is checked, so that parallel guesses get no extra tries. Throws `rate_limited`. */
    async count(guess: Guess): Promise<void> {
      if (guess.device !== undefined) return countOrRefuse(fromDevice, deviceOf(guess.name, guess.device));
      await countOrRefuse(fromAddress, addressOf(guess));
      await countOrRefuse(fromAnywhere, folded(guess.name));
    },

    /** The password was right, so the wrong guesses before it were its owner's. */
    async forgive(guess: Guess): Promise<void> {
      if (guess.device !== undefined) return fromDevice.forget(deviceOf(guess.name, guess.device));
      await fromAddress.forget(addressOf(guess));
      await fromAnywhere.forget(folded(guess.name));
    },

    countOwn: (userId: number): Promise<void> => countOrRefuse(fromAddress, `own ${userId}`),
    forgiveOwn: (userId: number): Promise<void> => fromAddress.forget(`own ${userId}`),
  };
};
