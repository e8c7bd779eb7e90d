import { setTimeout } from 'node:timers/promises';
import { MOST_UNSEALED_COUNTED } from '#contract/limits.ts';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { LogStore } from '#core/log/log-store.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { Log } from '#core/logging.ts';
import type { SealClaim, StoredSeal, StoredSealKey } from '#core/seal/seal-store.ts';
import { logAction, type Doer } from '../log-action.ts';
import { refuse, sayError } from '../refuse.ts';
import { createPublishedPages } from './published-pages.ts';
import { dayToSeal, makeSeal, type MakeSealDeps, nextSealMs, SealingStopped } from './make-seal.ts';

const WAIT_MS = 200;
const MOST_WAITS = 3000;
/** How long a request waits: the first seal of a large site takes minutes. */
const PATIENCE_MS = 10_000;
const RETRY_AFTER_SECONDS = 30;
const MOST_AHEAD_MS = 86_400_000;

export interface SealDeps extends MakeSealDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly logs: Pick<LogStore, 'append'>;
}

/**
 * Whether a seal is due. One of a later day was made by a clock that is ahead, on this node or another; if far ahead,
 * it does not stop the others.
 */
const isDueAfter = (last: StoredSeal | undefined, nowMs: number): boolean =>
  last === undefined || last.day < dayToSeal(nowMs) || last.madeAtMs > nowMs + MOST_AHEAD_MS;

export type Seals = ReturnType<typeof createSeals>;

/** What is sealed, with which keys, and what is waiting. */
const readState = async ({ seals, sealKeys, clock }: SealDeps) => {
  const last = await seals.last();
  const nowMs = clock.now();
  return {
    last,
    keys: await seals.keys(),
    isKeyDamaged: await sealKeys.isDamaged(),
    isDue: isDueAfter(last, nowMs),
    nextMs: nextSealMs(nowMs),
    unsealedRows: await seals.countAfter(last ?? { callId: 0, movementId: 0 }, MOST_UNSEALED_COUNTED),
  };
};

/** The last seal if there is one and nothing was written since, because an empty seal would prove nothing. */
const lastOfAll = async ({ seals }: SealDeps): Promise<StoredSeal | undefined> => {
  const last = await seals.last();
  return last !== undefined && (await seals.countAfter(last, 1)) === 0 ? last : undefined;
};

/** Makes as many seals as needed. @returns the last */
const sealRest = async (deps: SealDeps, claim: SealClaim, isStopping: () => boolean): Promise<StoredSeal> => {
  for (;;) {
    const { seal, isWhole } = await makeSeal(deps, claim, isStopping);
    deps.log.info('sealed what was written', { seal: seal.number, day: seal.day });
    if (isWhole) return seal;
  }
};

/** Sealing for requests, which do not wait long. */
const sealingForRequests = (sealNow: (mostWaits: number) => Promise<StoredSeal>, log: Pick<Log, 'error'>) => {
  /** Sealing that continues after its request was answered. */
  let begun: Promise<unknown> = Promise.resolve();
  return {
    /**
     * If sealing takes longer than `patienceMs`, it continues in the background: throws `unavailable`, which says when
     * to retry.
     */
    async seal(patienceMs = PATIENCE_MS): Promise<StoredSeal> {
      const work = sealNow(Math.ceil(patienceMs / WAIT_MS));
      const whole = work.catch((thrown: unknown) => {
        if (!(thrown instanceof AppError)) log.error('sealing failed', { error: thrown });
      });
      begun = Promise.all([begun, whole]);
      const answered = new AbortController();
      const late = setTimeout(patienceMs, undefined, { signal: answered.signal }).catch(() => undefined);
      const seal = await Promise.race([work, late]).finally(() => answered.abort());
      if (seal !== undefined) return seal;
      throw sayError('unavailable', 'seal_running', {}, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    },
    /** Resolves when all such sealing has ended. */
    end: async (): Promise<void> => void (await begun),
  };
};

/** Does the work while no other node or run seals; undefined while one does. */
type WithClaim = <Result>(work: (claim: SealClaim) => Promise<Result>) => Promise<Result | undefined>;

/** New keys, which sign from the next seal on. Refused while a seal is being made. */
const newKeys = (deps: SealDeps, withClaim: WithClaim) => {
  const { sealKeys, log } = deps;
  const make = async (doer: Doer, how: 'rotate' | 'beginAnew'): Promise<StoredSealKey> => {
    const key = await withClaim((claim) => sealKeys[how](claim));
    if (key === undefined) throw refuse('seal_running');
    await logAction(deps, doer, storedPhrase('log_seal_key', { key: key.id }));
    return key;
  };
  return {
    rotateKey: async (doer: Doer): Promise<void> =>
      log.info('a new key signs seals', { key: (await make(doer, 'rotate')).id }),
    /** The old one has not signed it; refused unless that one is damaged. */
    beginKeysAnew: async (doer: Doer): Promise<void> =>
      log.warn('a new key signs seals, unsigned by the damaged one before it', {
        key: (await make(doer, 'beginAnew')).id,
      }),
  };
};

/** Seals what is written, day by day, and publishes it. */
export const createSeals = (deps: SealDeps) => {
  const { seals, clock, log } = deps;
  let isStopping = false;
  let isRunning = false;
  const pages = createPublishedPages(deps);

  const withClaim: WithClaim = async (work) => {
    const claim = isRunning ? undefined : await seals.claim(clock.now());
    if (claim === undefined) return undefined;
    isRunning = true;
    try {
      return await work(claim);
    } finally {
      isRunning = false;
      pages.forget();
      await claim.release();
    }
  };

  const sealAll = (claim: SealClaim): Promise<StoredSeal> => sealRest(deps, claim, () => isStopping);

  /**
   * Seals everything written by now and returns the last seal, even if there was nothing to seal. If another run is
   * sealing, waits for it and seals the rest. Throws `unavailable` after ten minutes.
   */
  const sealNow = async (mostWaits = MOST_WAITS): Promise<StoredSeal> => {
    for (let wait = 0; wait < mostWaits; wait += 1) {
      const seal = await withClaim(async (claim) => (await lastOfAll(deps)) ?? sealAll(claim));
      if (seal !== undefined) return seal;
      if (isStopping) throw new SealingStopped();
      await setTimeout(WAIT_MS);
    }
    throw new AppError('unavailable', 'another run has been sealing for long');
  };

  const soon = sealingForRequests(sealNow, log);

  const isDue = async (): Promise<boolean> => isDueAfter(await seals.last(), clock.now());
  return {
    /** Seals the last day if that has not been done; run by the clock. */
    async sealDue(): Promise<void> {
      if (!(await isDue())) return;
      try {
        await withClaim(async (claim) => {
          // Another node may have sealed it meanwhile.
          if (await isDue()) await sealAll(claim);
        });
      } catch (thrown) {
        if (!(thrown instanceof SealingStopped)) throw thrown;
      }
    },

    sealNow: () => sealNow(),

    sealSoon: soon.seal,

    ...newKeys(deps, withClaim),

    /** The last seal, all keys, and what is waiting. */
    state: async () => ({ ...(await readState(deps)), isRunning }),

    /** A page of what is published, as JSON; `page` counts from 0. */
    published: pages.page,

    /** Stops a running seal, for shutdown. */
    async end(): Promise<void> {
      isStopping = true;
      await soon.end();
    },
  };
};
