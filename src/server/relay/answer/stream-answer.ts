import { answeredByPage, answerUnread, AppError } from '#core/error.ts';
import type { OutboundBody, OutboundReply } from '#core/outbound/outbound.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { Frame } from '../../dialects/frame.ts';
import { MAX_EVENT_BYTES, SseParser } from '../../dialects/sse.ts';
import { isExcused, type Meter, newMeter, note, noteFrame } from '../bill/meter.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { type ParsedReply, parseReply, readParsed, type ReplyOptions, type Stream } from './answer.ts';
import { type Masking, maskingOf, type SeenFar, type SeenFrame, maskAndTap } from './mask.ts';
import { inPieces, wholeAsStream } from './whole-reply.ts';

/** Room for what precedes the first real event, which may itself be of maximum size. */
const PREAMBLE_BYTES = 256 * 1024;
/** Many times the number of comments and pings that arrive within the longest wait for an answer. */
const PREAMBLE_FRAMES = 2000;

/** How to read a stream, or a whole reply that arrives in its place. */
export interface StreamOptions extends Omit<ReplyOptions, 'asCaller' | 'isFar'> {
  /** Whether to send an event at once although it has no visible content. */
  readonly begins?: ((frame: Frame) => boolean) | undefined;
  /** Larger events are passed on in pieces and not parsed. */
  readonly maxEventBytes?: number;
  /** Processes large events in another thread. */
  readonly seesFar?: (frames: readonly Frame[]) => Promise<SeenFar> | undefined;
}

/**
 * Waits for the first event a caller could see. Nothing is sent until then, so that the call can still go to another
 * channel. An error under status 200, an empty stream and a web page count as failures.
 */
export const streamAnswer = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  secrets: Secrets,
  options: StreamOptions,
): Promise<Stream> => {
  const { maxEventBytes = MAX_EVENT_BYTES, seesFar } = options;
  const parser = new SseParser(maxEventBytes);
  const masking = maskingOf(secrets);
  const meter = newMeter();
  const first: SeenFrame[] = [];
  const beginning = { format, masking, meter, first, options };
  const rest = reply.body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const next = await rest.next();
      const frames = next.done === true ? parser.end() : parser.feed(next.value);
      if (bytes === 0 && next.done !== true && isWhole(next.value)) {
        const whole = { ...reply, body: joinedBody(next.value, reply.body) };
        return await streamAnswer(await asStream(whole, format, secrets, options), format, secrets, options);
      }
      const isReal = hearBeginning(beginning, frames, await seesFar?.(frames));
      if (next.done !== true) bytes += next.value.length;
      if (isReal) {
        return { kind: 'stream', first, rest, parser, masking, meter, discard: () => reply.body.discard() };
      }
      if (bytes > maxEventBytes + PREAMBLE_BYTES || first.length > PREAMBLE_FRAMES)
        throw answerUnread('the upstream sent a lot and no answer');
      if (meter.finished) throw answerUnread(NO_ANSWER);
      // Counts as a lost connection, however it was closed.
      if (next.done === true) throw new AppError('upstream_failed', NO_ANSWER);
    }
  } catch (thrown) {
    reply.body.discard();
    options.unpaid?.(meter);
    throw thrown;
  }
};

/** The beginning of a stream, of which the caller has seen nothing yet. */
interface Beginning {
  readonly format: UpstreamFormat;
  readonly masking: Masking;
  readonly meter: Meter;
  readonly first: SeenFrame[];
  readonly options: StreamOptions;
}

/** Adds frames to the beginning; true if one of them is something to give to the caller. Throws an error in them. */
const hearBeginning = (
  { format, masking, meter, first, options }: Beginning,
  frames: readonly Frame[],
  far: SeenFar | undefined,
): boolean => {
  const { begins = never, maxEventBytes = MAX_EVENT_BYTES } = options;
  let isReal = false;
  for (const came of frames) {
    if (came.oversized === true && maxEventBytes > MAX_EVENT_BYTES)
      throw answerUnread('the upstream sent an event that is too large to be converted');
    const { frame, tapped } = far?.get(came) ?? maskAndTap(came, format, masking);
    if (tapped?.error !== undefined && !meter.isOver && !isExcused(tapped, meter)) {
      note(meter, tapped);
      throw tapped.error;
    }
    if (frame.oversized === true && !meter.produced && !isEvent(frame.raw))
      throw answerUnread('the upstream sent no events');
    noteFrame(meter, frame, tapped);
    first.push({ frame, tapped });
    isReal ||= meter.produced || begins(frame);
  }
  return isReal;
};

const never = (): boolean => false;

const isEvent = (raw: Buffer): boolean => raw.toString('latin1', 0, 5) === 'data:';

const NO_ANSWER = 'the upstream ended the stream without an answer';
const LESS_THAN = 0x3c;
const BRACE = 0x7b;

/** Whether a body that should be a stream is one JSON value. Throws for a web page. */
const isWhole = (chunk: Buffer): boolean => {
  let at = chunk[0] === 0xef ? 3 : 0;
  while (at < chunk.length && (chunk[at] ?? 0) <= 0x20) at += 1;
  if (chunk[at] === LESS_THAN) throw answeredByPage();
  return chunk[at] === BRACE;
};

const joinedBody = (first: Buffer, rest: OutboundBody): OutboundBody => ({
  async *[Symbol.asyncIterator]() {
    yield first;
    yield* rest;
  },
  discard: () => rest.discard(),
});

/** Turns a whole reply into the stream that was asked for. */
const asStream = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  secrets: Secrets,
  options: StreamOptions,
): Promise<OutboundReply> => {
  const parse = (bytes: Buffer): ParsedReply => {
    const parsed = parseReply(bytes, format, secrets, options);
    return { ...parsed, bytes: wholeAsStream(format, parsed.body) };
  };
  const { bytes } = await readParsed(reply, parse, options);
  return { ...reply, body: inPieces(bytes) };
};
