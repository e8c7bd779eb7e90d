import { isAnswered, hasReadEnough, stopUpstream } from './caller-left.ts';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { asAppError } from '#core/error.ts';
import type { TakePiece, Pieces } from '#core/outbound/outbound.ts';
import { progressOf } from '../bill/meter.ts';
import type { Stream } from './answer.ts';
import type { Answered } from '../stages.ts';

/** How long to wait for the end mark of an answer that is complete, usage included. */
const END_MARK_MS = 30_000;

/**
 * Passes a stream to `take` until it wants no more (`taken`) or the stream ends (`ended`). If the connection is lost or
 * silent after every answer is complete, the caller has everything: that is an end too (`unmarked`). Throws if the
 * stream broke off earlier.
 */
export const readToEnd = async (
  answered: Answered,
  { rest, discard }: Stream,
  take: TakePiece,
): Promise<'taken' | 'ended' | 'unmarked'> => {
  const { live, patience } = answered;
  let timer: AwakeTimer | undefined;
  let isGivenUp = false;
  /** While a piece is taken, errors are those the upstream reports, and are thrown; a lost connection may be excused. */
  let isTaking = false;
  let progress = 0;
  const look = (): void => {
    if (hasReadEnough(live.meter)) stopUpstream(answered);
    const before = progress;
    progress = progressOf(live.meter);
    if (timer !== undefined) {
      if (progress !== before) timer.restart();
    } else if (isAnswered(answered) && live.meter.reported !== undefined) {
      live.outlet.lacksOnlyEnd = true;
      timer = new AwakeTimer(Math.min(END_MARK_MS, patience.idleMs), () => {
        isGivenUp = true;
        discard();
      });
    }
  };
  const takeAndLook: TakePiece = (piece) => {
    isTaking = true;
    const more = take(piece);
    isTaking = false;
    if (more !== false) look();
    return more;
  };
  look();
  live.outlet.isListening = true;
  try {
    const isOver = await eachPiece(rest, takeAndLook);
    if (isGivenUp) return 'unmarked';
    return isOver ? 'ended' : 'taken';
  } catch (thrown) {
    const { code } = asAppError(thrown);
    const isLost = !isTaking && (code === 'upstream_failed' || code === 'upstream_timeout');
    if (!isLost || live.stopped !== undefined || !isAnswered(answered)) throw thrown;
    discard();
    return 'unmarked';
  } finally {
    live.outlet.isListening = false;
    timer?.stop();
  }
};

/**
 * Passes each piece to `take` until it wants no more; returns true if the body ended first. Throws if the body broke
 * off.
 */
export const eachPiece = async (pieces: Pieces, take: TakePiece): Promise<boolean> => {
  if (pieces.each !== undefined) return pieces.each(take);
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return true;
    if (!(await take(next.value))) return false;
  }
};
