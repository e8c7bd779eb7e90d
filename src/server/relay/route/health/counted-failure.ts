import type { Failure } from '#core/channel/health/health.ts';
import type { Effect, FailedAt, FailureEffects } from '#core/channel/health/failure-effects.ts';
import type { AppError } from '#core/error.ts';
import type { AnswerTimes } from './answer-times.ts';
import { type HealthNode, originOf, type Part, type SeatId, speaksForAll, WHOLE } from './health-node.ts';

/** How a call failed. Times are monotonic. */
export interface FailedCall extends Pick<FailedAt, 'blamedFor'> {
  readonly error: AppError;
  readonly startedMs: number;
  readonly nowMs: number;
  /** Its answer had begun. */
  readonly isBroken?: boolean;
  /** Whose call it was. */
  readonly userId?: number;
}

/** A failure that counts, with the seat and the model of its call. */
export interface CountedFailure extends FailedCall {
  readonly seat: SeatId;
  readonly model: string;
  readonly effects: FailureEffects;
}

/** What a failure says about one of the parts that its call used. */
export const failureOf = (
  node: HealthNode,
  of: Part,
  effect: Exclude<Effect, 'rest'>,
  call: CountedFailure,
  answers: AnswerTimes,
): Failure => {
  const { seat, error, startedMs, isBroken = false, effects, userId = 0 } = call;
  const isLate = error.code === 'upstream_timeout' && !error.isUnsent;
  // If no other call got an answer meanwhile, this one starts a cooldown, so that the next calls need not wait as long.
  const wasSilent =
    effect === 'count' &&
    error.code === 'upstream_timeout' &&
    answers.last(seat.id, of.keyId, of.model) < startedMs;
  const origin = originOf(seat, call.model, of);
  return {
    // An upstream that names a wait means the model that was asked for, not the whole channel.
    retryAfterSeconds: effect === 'count' && of.model !== WHOLE ? error.retryAfterSeconds : undefined,
    isEnough: wasSilent || effect === 'count_for_all',
    isShareOnly: effect === 'share',
    speaksForAll: effect === 'count_for_all' || speaksForAll(node, seat, of),
    isBroken,
    isCostly: effects.isCostly === true || isBroken,
    ...(origin && { origin }),
    userId: effects.isOfOneCall === true ? userId : 0,
    ...(isLate && { lateUserId: userId }),
  };
};
