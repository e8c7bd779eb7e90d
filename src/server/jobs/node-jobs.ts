import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { type AbandonedDeps, closeAbandoned } from '#core/ledger/close-abandoned.ts';
import type { Log } from '#core/logging.ts';
import { steadyTime } from '#core/time/steady-time.ts';
import type { Job } from './every.ts';

interface NodeJobDeps extends AbandonedDeps {
  /** How nodes detect each other's death; undefined if there can only be one. */
  readonly lease: { beat(): Promise<boolean>; strikeDead(): Promise<number> } | undefined;
  readonly relay: { endCalls(why: AppError): void };
  /** A node silent for this long counts as dead. */
  readonly silenceMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Heartbeats and checks per silence period; one check more than this must find the node unchanged. */
const BEATS = 6;
const LOOKS = 5;

/** For several nodes on one database: each sends heartbeats, and the living close the open holds of the dead. */
export const nodeJobs = ({ lease, relay, silenceMs, clock, log, ...stores }: NodeJobDeps): readonly Job[] => {
  const steadyMs = steadyTime(clock);
  /** Dead nodes whose holds are not closed yet; closing is retried until it succeeds. */
  let struck = 0;
  return lease === undefined
    ? []
    : [
        {
          name: 'say that this node lives',
          everyMs: Math.ceil(silenceMs / BEATS),
          async run() {
            if (await lease.beat()) return;
            // The holds of its calls are closed, so any further answers would not be charged.
            log.error('this node was silent for so long that the others have closed its calls');
            relay.endCalls(new AppError('unavailable', 'the server was away, try again'));
          },
        },
        {
          name: 'close the calls of dead nodes',
          everyMs: Math.ceil(silenceMs / LOOKS),
          async run() {
            struck += await lease.strikeDead();
            if (struck === 0) return;
            const before = { createdBeforeMs: 0, expiredAtMs: steadyMs() };
            const holds = await closeAbandoned(stores, before, clock.now());
            log.warn('a node is dead: its calls are closed', { nodes: struck, holds });
            struck = 0;
          },
        },
      ];
};
