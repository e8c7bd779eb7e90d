import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Log } from '#core/logging.ts';
import type { Job } from './every.ts';

interface NodeJobDeps {
  /** How this node and the others watch each other; undefined where there can be no other. */
  readonly lease: { beat(): Promise<boolean>; strikeDead(): Promise<number> } | undefined;
  readonly relay: { endCalls(why: AppError): void };
  readonly ledger: Pick<Ledger, 'resolveAbandoned'>;
  /** After so long a silence a node counts as dead. */
  readonly silenceMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Beats and looks within the time in which a silent node is found dead: a look more than must find it unmoved. */
const BEATS = 6;
const LOOKS = 5;

/** Of several nodes on one database: each says that it lives, and the living close what the dead were doing. */
export const nodeJobs = ({ lease, relay, ledger, silenceMs, clock, log }: NodeJobDeps): readonly Job[] =>
  lease === undefined
    ? []
    : [
        {
          name: 'say that this node lives',
          everyMs: Math.ceil(silenceMs / BEATS),
          async run() {
            if (await lease.beat()) return;
            // The holds of its calls are closed: whatever they still answered would be given away.
            log.error('this node was silent for so long that the others have closed its calls');
            relay.endCalls(new AppError('unavailable', 'the server was away, try again'));
          },
        },
        {
          name: 'close the calls of dead nodes',
          everyMs: Math.ceil(silenceMs / LOOKS),
          async run() {
            const dead = await lease.strikeDead();
            if (dead === 0) return;
            const holds = await ledger.resolveAbandoned({ createdBeforeMs: 0, expiredAtMs: clock.now() });
            log.warn('a node is dead: its calls are closed', { nodes: dead, holds });
          },
        },
      ];
