import { countsAgainstChannel, isRefusal } from '#core/channel/health/blame.ts';
import type { BlamedFor } from '#core/channel/health/failure-effects.ts';
import { mayBeDone } from '#core/channel/health/retry.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { AppError } from '#core/error.ts';
import type { Blame, TryDeps } from './attempt-notes.ts';
import { healthName } from './health/health-node.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';
import type { Tries } from './tries.ts';

interface Refused<Try extends Chosen> {
  readonly attempt: LiveAttempt<Try>;
  readonly error: AppError;
}

type Asking = Pick<
  Tries<unknown, Chosen>,
  'model' | 'operation' | 'userId' | 'isFree' | 'canRepeat' | 'mayHaveActed'
>;

/**
 * Finds out whose fault a refusal is. It looks like the caller's mistake, but a channel with a wrong address or model
 * name refuses every call, and a key whose account lacks a model refuses every call of that model. If that is possible,
 * another channel is asked, else another key. If that one answers, the earlier refusals count against their seats; if
 * it refuses too, the call is at fault.
 */
export class SecondOpinions<Try extends Chosen> {
  readonly #deps: Pick<TryDeps, 'health' | 'clock'>;
  readonly #call: Asking;
  readonly #name: string;
  #refused: Refused<Try>[] = [];

  constructor(deps: Pick<TryDeps, 'health' | 'clock'>, call: Asking) {
    this.#deps = deps;
    this.#call = call;
    this.#name = healthName(call.model, call.operation);
  }

  /** How a failure counts. With `later`, another seat is asked before the caller gets the refusal. */
  blame(attempt: LiveAttempt<Try>, error: AppError): Blame {
    const { isFree, canRepeat, mayHaveActed = false, operation = 'chat' } = this.#call;
    const { upstream } = error;
    if (!isFree || upstream === undefined || !isRefusal(error)) return 'as told';
    // An error inside an answer: work that must not be done twice may have begun.
    if (!canRepeat && operation === 'chat' && upstream.status === 0) return 'as told';
    const { health, clock } = this.#deps;
    const { channel } = attempt.destination;
    const mayBeWrong = health.refusals.note(channel, this.#name, clock.monotonic());
    const lacksModel = channel.keyId !== 0 && upstream.status === 404;
    if (!mayBeWrong && !lacksModel && !attempt.isProbe && upstream.isPage !== true) return 'as told';
    if (mayHaveActed) return countsAgainstChannel(error) ? 'as told' : 'channel';
    this.#refused.push({ attempt, error });
    return 'later';
  }

  /**
   * Notes that a seat has answered. Refusals of other channels count against those channels, refusals of its own
   * channel against their keys.
   */
  answered({ id }: Pick<Channel, 'id'>): void {
    const { health, clock } = this.#deps;
    for (const refused of this.#refused) {
      const { channel } = refused.attempt.destination;
      this.#failed(refused, channel.id === id ? 'key' : 'channel');
      const { message = '' } = refused.error.upstream ?? {};
      health.blamed.refused(channel, this.#name, message, clock.monotonic());
    }
    this.#refused = [];
  }

  /**
   * Notes that no seat has answered.
   * @param last the failure of the last attempt
   * @returns the refusal to report to the caller instead of `last`: the seats that were asked about it failed, so it
   * may well be right
   */
  ended(last: AppError | undefined): Refused<Try> | undefined {
    const { health, clock } = this.#deps;
    const isRefused = last !== undefined && isRefusal(last);
    const isAgreed = isRefused && this.#refused.some(({ error }) => error !== last);
    for (const refused of this.#refused) {
      if (!isAgreed) {
        this.#failed(refused, undefined);
        continue;
      }
      const { channel } = refused.attempt.destination;
      health.refusals.wasRight(channel, this.#name);
      health.left(channel, this.#name, clock.monotonic());
    }
    const told = this.#refused.find(
      ({ attempt, error }) => !attempt.isProbe && error.upstream?.isPage !== true,
    );
    this.#refused = [];
    const isLastToTell = isRefused || last === undefined || last.code === 'client_closed';
    return isLastToTell || (!this.#call.canRepeat && mayBeDone(last)) ? undefined : told;
  }

  #failed({ attempt, error }: Refused<Try>, blamedFor: BlamedFor | undefined): void {
    const { health, clock } = this.#deps;
    const { userId } = this.#call;
    health.failed(attempt.destination.channel, this.#name, {
      error,
      startedMs: attempt.startedMs,
      nowMs: clock.monotonic(),
      blamedFor,
      ...(userId !== undefined && { userId }),
    });
  }
}
