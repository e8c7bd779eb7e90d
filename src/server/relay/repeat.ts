import { AppError, asAppError } from '#core/error.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Frame } from '../dialects/frame.ts';
import { fieldsOf, parsedFields } from '../dialects/openai/fields.ts';
import { hasToHide } from '../dialects/redact.ts';
import type { Answer, SeenFrame } from './answer.ts';
import { maskFrame } from './mask.ts';
import { noteFrame } from './meter.ts';
import type { RelayDeps } from './ports.ts';
import { known, type Running } from './running.ts';
import { TappedRun } from './tapped-run.ts';
import { toTheEnd } from './to-the-end.ts';

export type Stream = Extract<Answer, { kind: 'stream' }>;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;
const LIST_HEADERS = { ...STREAM_HEADERS, 'content-type': 'application/json; charset=utf-8' } as const;

export const streamHeaders = ({ outlet, rateHeaders }: Running): Readonly<Record<string, string>> => {
  const headers = outlet.list === undefined ? STREAM_HEADERS : LIST_HEADERS;
  return rateHeaders === undefined ? headers : { ...headers, ...rateHeaders };
};

/** Called between chunks: remembers from time to time what the call has cost so far. */
export type Checkpoint = (running: Running, nowMs: number) => void;

/**
 * Repeats a stream byte for byte as it comes. Frames are only looked at for what they tell; the one with usage the
 * caller did not ask for is left out. Writes no more while the caller does not read. Throws what ended the stream
 * before its end.
 */
export const repeat = async (
  deps: Pick<RelayDeps, 'clock'>,
  running: Running,
  stream: Stream,
  checkpoint: Checkpoint,
): Promise<void> => {
  const { parser } = stream;
  const { secrets, outlet, wire } = running;
  const { reply } = running.call;
  // Where words are looked for, every event is read.
  const run = running.checkReply === undefined ? new TappedRun(secrets, running.wire) : undefined;
  if (!reply.started) reply.start(200, streamHeaders(running));
  outlet.first = stream.first.map(({ frame }) => frame);
  let patience: NodeJS.Timeout | undefined;
  try {
    const take = (piece: Buffer): boolean | Promise<boolean> => {
      outlet.lastWriteMs = deps.clock.monotonic();
      if (run !== undefined && parser.isBetweenEvents && run.takeAll(piece, running.meter)) {
        outlet.insideEvent = false;
        outlet.write(piece);
      } else {
        const frames = seen(running, parser.feed(piece), secrets);
        if (show(running, frames)) return false;
        if (outlet.toldError !== undefined) patience ??= setTimeout(stream.discard, AFTER_END_MS);
        const [first] = frames;
        if (first !== undefined && frames.length === 1) run?.learn(first);
      }
      checkpoint(running, outlet.lastWriteMs);
      return outlet.isFull ? drained(running) : true;
    };
    const isOver = show(running, stream.first);
    if (!isOver && outlet.isFull) await drained(running);
    const end = isOver ? 'taken' : await toTheEnd(running, stream, take);
    if (end === 'taken') void readOff(stream);
    else {
      show(running, seen(running, parser.end(), secrets));
      if (!running.meter.finished && outlet.toldError === undefined) throw brokenOff();
      if (end === 'unmarked' && wire.endMark !== undefined && outlet.toldError === undefined)
        outlet.write(wire.endMark);
    }
    if (outlet.toldError !== undefined) throw outlet.toldError;
  } catch (thrown) {
    stream.discard();
    throw running.stopped ?? outlet.toldError ?? asAppError(thrown);
  } finally {
    clearTimeout(patience);
  }
  reply.end();
};

/** Why a stream ended without its end mark. */
export const brokenOff = (): AppError =>
  new AppError('upstream_failed', 'the upstream broke off in the middle of its answer');

const AFTER_END_MS = 1000;

/** After its end mark a stream has nothing more to say: what is left is read off, so that the connection can be used again. */
export const readOff = async ({ rest, discard }: Stream): Promise<void> => {
  const timer = setTimeout(discard, AFTER_END_MS);
  try {
    while ((await rest.next()).done !== true);
  } catch {
    // The connection is gone, and with it everything that had to be read off.
  } finally {
    clearTimeout(timer);
  }
};

const seen = (running: Running, frames: readonly Frame[], secrets: Secrets): readonly SeenFrame[] => {
  const result: SeenFrame[] = [];
  for (const frame of frames) {
    maskFrame(frame, secrets);
    const tapped = running.wire.tap(frame);
    noteFrame(running.meter, frame, tapped);
    result.push({ frame, tapped });
  }
  return result;
};

/** Writes what the caller may see of these frames; true after the stream's own end mark. Throws an error among them. */
const show = (running: Running, frames: readonly SeenFrame[]): boolean => {
  const showsUsage = known(running.asked, 'read').facts.wantsStreamUsage;
  const shown: Buffer[] = [];
  let ended = false;
  let error: AppError | undefined;
  for (const { frame, tapped } of frames) {
    if (ended) {
      // A few send the other format's end mark after their own.
      if (isEndMark(frame)) shown.push(frame.raw);
      break;
    }
    error = tapped?.error;
    if (error !== undefined) {
      if (frame.unterminated === true || !isTold(error, frame)) break;
      // What stands behind it, its cost mostly, is the caller's as well.
      running.outlet.toldError ??= error;
      error = undefined;
    }
    running.outlet.insideEvent = frame.oversized === true;
    if (tapped?.usageOnly === true && !showsUsage) continue;
    // An event without its blank line would run into whatever is written next.
    if (frame.unterminated === true) continue;
    error = tapped?.content === true ? wordsIn(running, frame) : undefined;
    if (error !== undefined) break;
    shown.push(frame.raw);
    ended = tapped?.done === true;
  }
  if (shown.length > 0) running.outlet.write(joined(shown));
  if (error !== undefined) throw error;
  return ended;
};

/** Whether an upstream's words for its failure are such that the caller may have them as they came. */
const isTold = ({ message, upstream }: AppError, { data }: Frame): boolean => {
  if (upstream === undefined || upstream.message === '' || message !== upstream.message) return false;
  const body = parsedFields(data) ?? {};
  const response = fieldsOf(body['response']);
  return !hasToHide(JSON.stringify(response['error'] ?? body));
};

/** Why this event must not be shown, where it has a word a reply may not have. */
export const wordsIn = ({ checkReply }: Running, { data }: Frame): AppError | undefined => {
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

/** Frames of one chunk lie beside each other in memory: one write, no copy. */
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

/** Waits until the caller has read what was written; the upstream is not read meanwhile. Says to go on. */
export const drained = async (running: Running): Promise<true> => {
  const { outlet } = running;
  const { reply } = running.call;
  outlet.isStalled = true;
  await reply.drained();
  outlet.isStalled = false;
  outlet.isFull = false;
  if (reply.gone) throw running.stopped ?? new AppError('client_closed', 'the caller went away');
  return true;
};
