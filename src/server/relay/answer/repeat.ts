import { AppError, asAppError } from '#core/error.ts';
import type { TakePiece } from '#core/outbound/outbound.ts';
import type { Frame } from '../../dialects/frame.ts';
import { fieldsOf, parsedFields } from '#core/json/fields.ts';
import { hasToHide } from '../../dialects/redact.ts';
import type { Stream } from './answer.ts';
import { type Masking, type SeenFrame, type SeenFar, maskAndTap } from './mask.ts';
import { tappedFar } from '../far/far-events.ts';
import { noteFrame } from '../bill/meter.ts';
import type { Outlet } from './outlet.ts';
import type { RelayDeps } from '../ports.ts';
import type { Answered, Begun, Held } from '../stages.ts';
import { TappedRun } from './tapped-run.ts';
import { isAnswered } from './caller-left.ts';
import { limitFrames, showFirst, showPaid } from './money-end.ts';
import { readToEnd } from './read-stream.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;
const LIST_HEADERS = { ...STREAM_HEADERS, 'content-type': 'application/json; charset=utf-8' } as const;

/** The headers of a stream to this caller: server-sent events, or a JSON list if the caller asked for one. */
export const streamHeaders = ({ list, rateHeaders }: Outlet): Readonly<Record<string, string>> => {
  const headers = list === undefined ? STREAM_HEADERS : LIST_HEADERS;
  return rateHeaders === undefined ? headers : { ...headers, ...rateHeaders };
};

/** What passing on an answer needs to know about charging. */
export interface Charging {
  /** Called between chunks: saves the cost of the call so far, from time to time. */
  readonly checkpoint: (held: Held, nowMs: number) => void;
  /** Charges a whole answer. Its end is sent afterwards. Never rejects. */
  readonly close: () => Promise<void>;
}

/**
 * Passes a stream on byte for byte. Frames are only read for usage and errors; a usage frame the caller did not ask for
 * is left out. Stops writing while the caller does not read. The end is kept back until the answer is charged. Throws if
 * the stream broke off.
 */
export const repeat = async (
  deps: Pick<RelayDeps, 'clock' | 'farThreads'>,
  answered: Answered,
  stream: Stream,
  { checkpoint, close }: Charging,
): Promise<void> => {
  const { wire, live, call } = answered;
  const { outlet } = live;
  const { reply } = call;
  if (!reply.started) reply.start(200, streamHeaders(outlet));
  outlet.first = stream.first.map(({ frame }) => frame);
  // Any stream may break off, so this is prepared whatever the call costs.
  if ('openShown' in wire) outlet.shown = wire.openShown?.();
  const { take, takeSlowly, goOn, stop } = takingPieces(deps, answered, stream, checkpoint);
  try {
    const isOver = !(await showFirst(answered, stream.first, (frames) => !show(answered, frames)));
    // The upstream may be silent for long from here on, and the process may be killed: save the cost now.
    if (!isOver) await goOn();
    const end = isOver ? 'taken' : await readToEnd(answered, stream, take);
    const isMarked = end === 'taken' || !(await takeSlowly(stream.parser.end()));
    finish(answered, stream, end, isMarked);
    if (outlet.sentError !== undefined) throw outlet.sentError;
  } catch (thrown) {
    outlet.breakOff();
    stream.discard();
    throw live.stopped ?? outlet.sentError ?? asAppError(thrown);
  } finally {
    stop();
    outlet.shown?.drop();
    outlet.shown = undefined;
  }
  await close();
  reply.end(outlet.takeEnd());
};

interface TakingPieces {
  /** Passes a piece on; false once the answer is complete. */
  readonly take: TakePiece;
  /** The same for events, each only if it is paid. */
  readonly takeSlowly: (frames: readonly Frame[]) => Promise<boolean>;
  /** Saves the cost so far, and waits while the caller does not read. */
  readonly goOn: () => boolean | Promise<boolean>;
  readonly stop: () => void;
}

/**
 * Passes on the pieces of a stream. Most are tapped and written as they are; near the end of a growing hold, frames are
 * written one by one as far as they are paid; large ones are read in another thread.
 */
const takingPieces = (
  { clock, farThreads }: Pick<RelayDeps, 'clock' | 'farThreads'>,
  answered: Answered,
  { parser, masking, discard }: Stream,
  checkpoint: Charging['checkpoint'],
): TakingPieces => {
  const { wire, live, checkReply } = answered;
  const { outlet } = live;
  // When words are checked, every event is read.
  const run = checkReply === undefined ? new TappedRun(masking, wire) : undefined;
  let patience: NodeJS.Timeout | undefined;
  const goOn = (): boolean | Promise<boolean> => {
    checkpoint(answered, outlet.lastWriteMs);
    return outlet.isFull ? drained(answered) : true;
  };
  const give = (frames: readonly SeenFrame[]): boolean | Promise<boolean> => {
    if (show(answered, frames)) return false;
    if (outlet.sentError !== undefined) patience ??= setTimeout(discard, AFTER_END_MS);
    const last = frames.at(-1);
    if (last !== undefined) run?.learn(last);
    return goOn();
  };
  const takeSlowly = async (frames: readonly Frame[]): Promise<boolean> => {
    const far = await tappedFar(farThreads, answered, frames);
    const hear = (frame: Frame) => seenOne(answered, masking, frame, far);
    return showPaid(answered, frames, hear, (one) => give([one]));
  };
  const take = (piece: Buffer): boolean | Promise<boolean> => {
    outlet.lastWriteMs = clock.monotonic();
    const { rolling, meter } = live;
    const fineBytes = rolling?.look(meter) ?? Infinity;
    if (
      fineBytes > 0 &&
      run !== undefined &&
      parser.isBetweenEvents &&
      run.takeAll(piece, meter, fineBytes)
    ) {
      outlet.insideEvent = false;
      outlet.write(piece);
      return goOn();
    }
    if (parser.pendingBytes + piece.length >= fineBytes) return takeSlowly(parser.feed(piece));
    const frames = parser.feed(piece);
    const far = tappedFar(farThreads, answered, frames);
    if (far !== undefined) return far.then((heard) => give(seen(answered, masking, frames, heard)));
    return give(seen(answered, masking, frames));
  };
  return { take, takeSlowly, goOn, stop: () => clearTimeout(patience) };
};

/** Ends the answer as its stream ended. Throws if it broke off. */
const finish = (
  answered: Answered,
  stream: Stream,
  end: 'taken' | 'ended' | 'unmarked',
  isMarked: boolean,
): void => {
  const { wire, live } = answered;
  const { outlet } = live;
  if (live.cutBefore !== undefined) return endAtLimit(answered, stream, live.cutBefore);
  if (end === 'taken') return void drainRest(stream);
  if (!live.meter.finished && outlet.sentError === undefined) throw brokenOff();
  const lacksMark = end === 'unmarked' && !isMarked && outlet.sentError === undefined;
  if (lacksMark && wire.endMark !== undefined) outlet.keepEnd(wire.endMark);
};

/** Ends the stream as if it had reached its maximum length, and stops the upstream. */
const endAtLimit = (answered: Answered, stream: Stream, next: Frame): void => {
  stream.discard();
  const frames = limitFrames(answered, next);
  if (frames.length > 0) answered.live.outlet.keepEnd(Buffer.concat(frames.map(({ raw }) => raw)));
};

/** Why a stream ended without its end mark. */
export const brokenOff = (): AppError =>
  new AppError('upstream_failed', 'the upstream broke off in the middle of its answer');

const AFTER_END_MS = 1000;

/** Reads and drops what follows the end mark, so that the connection can be reused. */
export const drainRest = async ({ rest, discard }: Stream): Promise<void> => {
  const timer = setTimeout(discard, AFTER_END_MS);
  try {
    while ((await rest.next()).done !== true);
  } catch {
    // The answer is complete, so a failure here only costs the connection.
  } finally {
    clearTimeout(timer);
  }
};

const seen = (
  answered: Answered,
  masking: Masking,
  frames: readonly Frame[],
  far?: SeenFar,
): readonly SeenFrame[] => {
  const result: SeenFrame[] = [];
  for (const came of frames) result.push(seenOne(answered, masking, came, far));
  return result;
};

const seenOne = ({ wire, live }: Answered, masking: Masking, came: Frame, far?: SeenFar): SeenFrame => {
  const one = far?.get(came) ?? maskAndTap(came, wire, masking);
  noteFrame(live.meter, one.frame, one.tapped);
  return one;
};

/**
 * Writes the frames the caller may see, and keeps back those that end the answer. Returns true after the stream's own
 * end mark. Throws an error found in a frame.
 */
const show = (answered: Answered, frames: readonly SeenFrame[]): boolean => {
  const showsUsage = answered.request.facts.wantsStreamUsage;
  const { outlet } = answered.live;
  const shown: Buffer[] = [];
  const end: Buffer[] = [];
  let ended = false;
  let error: AppError | undefined;
  for (const { frame, tapped } of frames) {
    if (ended) {
      // Some upstreams send the other format's end mark after their own.
      if (isEndMark(frame)) end.push(frame.raw);
      break;
    }
    error = tapped?.error;
    if (error !== undefined) {
      if (frame.unterminated === true || !mayBeQuoted(error, frame)) break;
      // Frames after the error, mostly usage, are sent to the caller too.
      outlet.sentError ??= error;
      error = undefined;
    }
    outlet.insideEvent = frame.oversized === true;
    if (tapped?.usageOnly === true && !showsUsage) continue;
    const raw = frame.unterminated === true ? completed(frame) : frame.raw;
    if (raw === undefined) continue;
    error = tapped?.content === true ? wordsIn(answered, frame) : undefined;
    if (error !== undefined) break;
    ended = tapped?.done === true;
    (ended ? end : shown).push(raw);
  }
  if (!ended && mayBeWhole(answered)) end.push(...shown.splice(-1));
  if (shown.length > 0) outlet.write(joined(shown));
  if (end.length > 0) outlet.keepEnd(joined(end));
  if (error !== undefined) throw error;
  return ended;
};

/** The last event of a stream with the blank line it lacks; undefined if the event itself broke off. */
const completed = (frame: Frame): Buffer | undefined =>
  isEndMark(frame) || parsedFields(frame.data) !== undefined
    ? Buffer.concat([frame.raw, BLANK_LINE])
    : undefined;

const BLANK_LINE = Buffer.from('\n\n');

/** In a format without an end mark, the last frame is the end, and any frame may be the last. */
const mayBeWhole = (answered: Answered): boolean =>
  answered.wire.endMark === undefined && answered.live.outlet.sentError === undefined && isAnswered(answered);

/** Whether the upstream's error may be passed on in its own words. */
const mayBeQuoted = ({ message, upstream }: AppError, { data }: Frame): boolean => {
  if (upstream === undefined || upstream.message === '' || message !== upstream.message) return false;
  const body = parsedFields(data) ?? {};
  const response = fieldsOf(body['response']);
  return !hasToHide(JSON.stringify(response['error'] ?? body));
};

/** The error for an event with a sensitive word, if it has one. */
export const wordsIn = (
  { checkReply }: Pick<Answered, 'checkReply'>,
  { data }: Frame,
): AppError | undefined => {
  if (checkReply === undefined || data.length === 0 || isEndMark({ data })) return undefined;
  try {
    checkReply(JSON.parse(data.toString()));
    return undefined;
  } catch (thrown) {
    return thrown instanceof AppError ? thrown : undefined;
  }
};

const isEndMark = ({ data }: Pick<Frame, 'data'>): boolean =>
  data.length === 6 && data.toString('latin1') === '[DONE]';

/** Joins the frames of one chunk. They are adjacent in memory, so one write without a copy is enough. */
const joined = (parts: readonly Buffer[]): Buffer => {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined || first === last) return first ?? Buffer.alloc(0);
  let length = 0;
  for (const part of parts) length += part.length;
  const isOneRun =
    first.buffer === last.buffer && last.byteOffset + last.length - first.byteOffset === length;
  return isOneRun ? Buffer.from(first.buffer, first.byteOffset, length) : Buffer.concat(parts, length);
};

/** Waits until the caller has read what was written; the upstream is not read meanwhile. Returns true to continue. */
export const drained = async ({ live, call }: Begun): Promise<true> => {
  const { outlet } = live;
  const { reply } = call;
  outlet.isStalled = true;
  await reply.drained();
  outlet.isStalled = false;
  outlet.isFull = false;
  if (reply.gone) throw live.stopped ?? new AppError('client_closed', 'the caller went away');
  return true;
};
