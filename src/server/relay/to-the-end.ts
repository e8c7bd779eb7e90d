import { AwakeTimer } from '#core/awake-timer.ts';
import { asAppError } from '#core/error.ts';
import type { TakePiece } from '#core/outbound.ts';
import { eachPiece } from './each-piece.ts';
import { progressOf } from './meter.ts';
import type { Stream } from './repeat.ts';
import { known, type Running } from './running.ts';

/** An answer that is whole, with what it used, has nothing left to say but its end mark. */
const END_MARK_MS = 30_000;

/**
 * Gives a stream to `take` until it wants no more (`taken`) or the stream ends (`ended`). Where the connection is lost or
 * falls silent after every answer has come to its end, the caller has everything: that is an end as well (`unmarked`).
 * Throws what broke the stream off before that.
 */
export const toTheEnd = async (
  running: Running,
  { rest, discard }: Stream,
  take: TakePiece,
): Promise<'taken' | 'ended' | 'unmarked'> => {
  let timer: AwakeTimer | undefined;
  let isGivenUp = false;
  /** What the upstream says, and not how its connection fares. */
  let isTold = false;
  let progress = 0;
  const look = (): void => {
    const before = progress;
    progress = progressOf(running.meter);
    if (timer !== undefined) {
      if (progress !== before) timer.restart();
    } else if (isAnswered(running) && running.meter.reported !== undefined)
      timer = new AwakeTimer(Math.min(END_MARK_MS, running.patience?.idleMs ?? END_MARK_MS), () => {
        isGivenUp = true;
        discard();
      });
  };
  const takeAndLook: TakePiece = (piece) => {
    isTold = true;
    const more = take(piece);
    isTold = false;
    if (more !== false) look();
    return more;
  };
  look();
  running.outlet.isListening = true;
  try {
    const isOver = await eachPiece(rest, takeAndLook);
    if (isGivenUp) return 'unmarked';
    return isOver ? 'ended' : 'taken';
  } catch (thrown) {
    const { code } = asAppError(thrown);
    const isLost = !isTold && (code === 'upstream_failed' || code === 'upstream_timeout');
    if (!isLost || running.stopped !== undefined || !isAnswered(running)) throw thrown;
    discard();
    return 'unmarked';
  } finally {
    running.outlet.isListening = false;
    timer?.stop();
  }
};

/** Every answer that was asked for has come to its end. */
export const isAnswered = ({ meter, asked }: Running): boolean =>
  meter.finished && meter.finishes >= known(asked, 'read').facts.choices;
