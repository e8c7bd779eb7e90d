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

/**
 * The stages of a call, one below the other; empty for rows that are older than it.
 * @param totalMs when it was settled
 */
export const waterfallOf = (
  { stages, attempts }: Pick<RouteFacts, 'stages' | 'attempts'>,
  totalMs: number,
): readonly Line[] => {
  if (stages === undefined) return [];
  const { readMs, holdMs, lastMs } = stages;
  const alone = (stage: StageName, fromMs: number, toMs: number): Line => ({
    channel: undefined,
    pieces: [piece(stage, fromMs, toMs)],
  });
  const lines = [alone('read', 0, readMs)];
  if (holdMs !== undefined) lines.push(alone('hold', readMs, holdMs));
  const inOrder = attempts.toSorted((left, right) => (left.atMs ?? 0) - (right.atMs ?? 0));
  const [first] = inOrder;
  if (first?.atMs !== undefined) lines.push(alone('choose', holdMs ?? readMs, first.atMs));
  lines.push(...inOrder.map(linesOfAttempt));
  const winner = attempts.findLast(isGood);
  if (winner?.atMs !== undefined && lastMs !== undefined) {
    lines.push(alone('answer', winner.atMs + winner.ms, lastMs));
    lines.push(alone('settle', lastMs, totalMs));
  }
  return lines;
};
