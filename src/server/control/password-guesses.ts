import { addressKey } from '#core/address-key.ts';
import type { RateLimiter } from '#core/rate-limiter.ts';
import { tooMany } from './refuse.ts';

/** Guesses at passwords, counted three ways. */
export interface GuessLimits {
  /** At one account from one address; at the own account by whoever is signed in to it. */
  readonly fromAddress: RateLimiter;
  /** At one account from a browser its owner has signed in from. */
  readonly fromDevice: RateLimiter;
  /** At one account from everywhere else together: many more. */
  readonly fromAnywhere: RateLimiter;
}

/** Somebody who says a name and a password. */
export interface Guess {
  /** As typed, not as found: a name that exists must not be counted otherwise than one that does not. */
  readonly name: string;
  readonly ip: string;
  /** Of a browser that is known to the account. */
  readonly device: string | undefined;
}

export type PasswordGuesses = ReturnType<typeof createPasswordGuesses>;

/**
 * Guessing is slow, and nobody is locked out of their account by the guesses of strangers: each address has its own
 * few, a known browser its own, and only what comes from many addresses runs into the count for all of them
 * (docs/decisions/0012).
 */
export const createPasswordGuesses = ({ fromAddress, fromDevice, fromAnywhere }: GuessLimits) => {
  /** Wide letters and capitals are the same account, and the same guess. */
  const folded = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
  const addressOf = ({ name, ip }: Pick<Guess, 'name' | 'ip'>): string =>
    JSON.stringify([folded(name), addressKey(ip)]);
  const deviceOf = (name: string, device: string): string => JSON.stringify([folded(name), device]);

  const take = async (limit: RateLimiter, key: string): Promise<void> => {
    const { ok, retryAfterSeconds } = await limit.take(key);
    if (!ok) throw tooMany(retryAfterSeconds);
  };

  return {
    /** Counts one, before it is known whether it is right: many at once get no more. Throws `rate_limited`. */
    async count(guess: Guess): Promise<void> {
      if (guess.device !== undefined) return take(fromDevice, deviceOf(guess.name, guess.device));
      await take(fromAddress, addressOf(guess));
      await take(fromAnywhere, folded(guess.name));
    },

    /** It was right: the wrong ones before it were its owner's. */
    async forgive(guess: Guess): Promise<void> {
      if (guess.device !== undefined) return fromDevice.forget(deviceOf(guess.name, guess.device));
      await fromAddress.forget(addressOf(guess));
      await fromAnywhere.forget(folded(guess.name));
    },

    countOwn: (userId: number): Promise<void> => take(fromAddress, `own ${userId}`),
    forgiveOwn: (userId: number): Promise<void> => fromAddress.forget(`own ${userId}`),
  };
};
