import type { Attempt, RouteFacts } from './call-facts.ts';

/** The kinds of time spans. */
export type StageName =
  | 'read'
  | 'hold'
  | 'choose'
  | 'connect'
  | 'firstByte'
  | 'firstToken'
  | 'failed'
  | 'answer'
  | 'settle';

/** A piece of a call's time, in milliseconds from its beginning. */
export interface Piece {
  readonly stage: StageName;
  readonly fromMs: number;
  readonly toMs: number;
}

/** One line of the waterfall: one stage, or one attempt with all of its own. */
export interface Line {
  /** The channel of an attempt; undefined for other spans. */
  readonly channel: number | undefined;
  readonly pieces: readonly Piece[];
}

const isGood = ({ error, status }: Attempt): boolean => error === '' && status < 400;

/** Times of a row are rounded one by one, so a later one may seem to be before an earlier one. */
const piece = (stage: StageName, fromMs: number, toMs: number): Piece => ({
  stage,
  fromMs: Math.max(0, fromMs),
  toMs: Math.max(0, fromMs, toMs),
});

const linesOfAttempt = (attempt: Attempt): Line => {
  const { channel, ms, atMs = 0, connectMs, headMs } = attempt;
  const last: StageName = isGood(attempt) ? 'firstToken' : 'failed';
  const pieces: Piece[] = [];
  let soFarMs = 0;
  if (connectMs !== undefined) pieces.push(piece('connect', atMs, atMs + (soFarMs = connectMs)));
  if (headMs !== undefined) pieces.push(piece('firstByte', atMs + soFarMs, atMs + (soFarMs = headMs)));
  pieces.push(piece(last, atMs + soFarMs, atMs + ms));
  return { channel, pieces };
};

const alone = (stage: StageName, fromMs: number, toMs: number): Line => ({
  channel: undefined,
  pieces: [piece(stage, fromMs, toMs)],
});

/** The attempts in the order of their begin, with the gaps in which the next channel was chosen or waited for. */
const linesOfAttempts = (attempts: readonly Attempt[], fromMs: number): readonly Line[] => {
  let freeMs = fromMs;
  return attempts
    .toSorted((left, right) => (left.atMs ?? 0) - (right.atMs ?? 0))
    .flatMap((attempt, at) => {
      const { atMs, ms } = attempt;
      const isLookedFor = atMs !== undefined && (at === 0 || atMs > freeMs);
      const before = isLookedFor ? [alone('choose', freeMs, atMs)] : [];
      freeMs = Math.max(freeMs, (atMs ?? 0) + ms);
      return [...before, linesOfAttempt(attempt)];
    });
};

/** What came after the last attempt. */
const linesOfEnd = (
  lines: readonly Line[],
  winner: Attempt | undefined,
  lastMs: number | undefined,
  totalMs: number,
) => {
  if (winner?.atMs !== undefined && lastMs !== undefined)
    return [alone('answer', winner.atMs + winner.ms, lastMs), alone('settle', lastMs, totalMs)];
  const fromMs = Math.max(0, ...lines.flatMap(({ pieces }) => pieces.map(({ toMs }) => toMs)));
  if (totalMs <= fromMs) return [];
  // An accepted call is a task and is being worked on. Without an attempt, it waited for a channel in vain.
  const isTried = lines.some(({ channel }) => channel !== undefined);
  return [alone(winner !== undefined ? 'answer' : isTried ? 'settle' : 'choose', fromMs, totalMs)];
};

/**
 * The stages of a call, one below the other, without gaps; empty for older rows.
 * @param totalMs when it was settled
 */
export const waterfallOf = (
  { stages, attempts }: Pick<RouteFacts, 'stages' | 'attempts'>,
  totalMs: number,
): readonly Line[] => {
  if (stages === undefined) return [];
  const { readMs, holdMs, lastMs } = stages;
  const lines = [alone('read', 0, readMs)];
  if (holdMs !== undefined) lines.push(alone('hold', readMs, holdMs));
  lines.push(...linesOfAttempts(attempts, holdMs ?? readMs));
  return [...lines, ...linesOfEnd(lines, attempts.findLast(isGood), lastMs, totalMs)];
};
