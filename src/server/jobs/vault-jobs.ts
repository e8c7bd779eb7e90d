import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { Job } from './every.ts';

const FOLLOW_EVERY_MS = 10_000;
/** A node may have written with the key of before until it looked. */
const SETTLED_AFTER_MS = 60_000;

interface RingKey {
  readonly number: number;
  readonly fromMs: number;
  readonly isPassedOn: boolean;
}

export interface VaultJobDeps {
  readonly vault: { follow(nowMs: number): Promise<RingKey> };
  /** Encrypts with a key what an earlier one has encrypted. */
  readonly reseal: (
    keyNumber: number,
  ) => Promise<{ readonly texts: number; readonly unreadable: readonly string[] }>;
  /** Once nothing is left to encrypt anew. */
  readonly endChange: () => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const NAME = 'follow the keys of the vault';

/** For relays in other threads: follows changes of the master key, and leaves the rest to the main thread. */
export const followVault = ({ vault, clock }: Pick<VaultJobDeps, 'vault' | 'clock'>): Job => ({
  name: NAME,
  everyMs: FOLLOW_EVERY_MS,
  run: async () => void (await vault.follow(clock.now())),
});

/** Follows changes of the master key, and after one encrypts everything anew. */
export const vaultJob = ({ vault, reseal, endChange, clock, log }: VaultJobDeps): Job => ({
  name: NAME,
  everyMs: FOLLOW_EVERY_MS,
  async run() {
    const nowMs = clock.now();
    const { number, fromMs, isPassedOn } = await vault.follow(nowMs);
    if (!isPassedOn) return;
    const { texts, unreadable } = await reseal(number);
    if (texts > 0) log.info('stored secrets are encrypted with the new key', { texts, unreadable });
    if (texts > 0 || nowMs < fromMs + SETTLED_AFTER_MS) return;
    await endChange();
    log.info('the change of the master key is complete', { unreadable });
  },
});
