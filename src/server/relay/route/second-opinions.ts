import { isRefusal } from '#core/channel/health/blame.ts';
import type { AppError } from '#core/error.ts';
import type { TryDeps } from './attempt-notes.ts';
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
  'model' | 'operation' | 'userId' | 'judge' | 'isFree' | 'canRepeat'
>;

/**
 * A refusal looks like the caller's mistake, but a channel whose address or model name is wrong refuses whatever it is
 * sent. Where that may be so another channel is asked: if it answers, the refusals were the fault of their channels; if
 * it refuses as well, of the call.
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

  /** Whether another channel should be asked about this failure before the caller is told of it. */
  isDoubted(attempt: LiveAttempt<Try>, error: AppError): boolean {
    const { isFree, judge, canRepeat, operation = 'chat' } = this.#call;
    if (!isFree || judge !== undefined || !isRefusal(error)) return false;
    // The tools of a chat may have acted before it was refused.
    if (!canRepeat && operation === 'chat') return false;
    const { health, clock } = this.#deps;
    const isPage = error.upstream?.isPage === true;
    const { id } = attempt.destination.channel;
    const mayBeWrong = health.refusals.note(id, this.#name, clock.monotonic());
    if (!mayBeWrong && !attempt.isProbe && !isPage) return false;
    this.#refused.push({ attempt, error });
    return true;
  }

  /** Another channel has answered: the others failed. */
  answered(): void {
    for (const refused of this.#refused) this.#failed(refused, true);
    this.#refused = [];
  }

  /** Nobody has answered. @param last the failure that the caller is told */
  ended(last: AppError | undefined): void {
    const { health, clock } = this.#deps;
    const isAgreed =
      last !== undefined && isRefusal(last) && this.#refused.some(({ error }) => error !== last);
    for (const refused of this.#refused) {
      if (!isAgreed) {
        this.#failed(refused, false);
        continue;
      }
      const { channel } = refused.attempt.destination;
      health.refusals.wasRight(channel.id, this.#name);
      health.left(channel, this.#name, clock.monotonic());
    }
    this.#refused = [];
  }

  #failed({ attempt, error }: Refused<Try>, wasAnsweredElsewhere: boolean): void {
    const { health, clock } = this.#deps;
    const { userId } = this.#call;
    health.failed(attempt.destination.channel, this.#name, {
      error,
      startedMs: attempt.startedMs,
      nowMs: clock.monotonic(),
      wasAnsweredElsewhere,
      ...(userId !== undefined && { userId }),
    });
  }
}
