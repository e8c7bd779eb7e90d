import { AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import { retryAfterOf } from '#core/channel/health/rate-headers.ts';
import { answeredByPage, answerUnread, AppError } from '#core/error.ts';
import { parseChatJson } from '#core/json/exact.ts';
import type { OutboundBody, OutboundReply, Pieces } from '#core/outbound/outbound.ts';
import { joined, readAll } from '#core/read-all.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { Frame } from '../../dialects/frame.ts';
import { MAX_EVENT_BYTES, SseParser } from '../../dialects/sse.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { isUnfinished } from '../../dialects/openai-responses/reply/response-status.ts';
import { type Masking, maskingOf, type SeenFar, type SeenFrame, maskAndTap, withoutSecrets } from './mask.ts';
import { isExcused, type Meter, newMeter, note, noteFrame } from '../bill/meter.ts';
import {
  inPieces,
  isEmpty,
  notJson,
  type ReplyWriter,
  streamAsWhole,
  unlisted,
  wholeAsStream,
} from './whole-reply.ts';
import type { Upstream } from '../../dialects/upstream.ts';
import type { AnswerShare } from './answer-room.ts';

/** A whole reply, or a stream whose first real event has arrived. */
export type Answer = WholeAnswer | Stream | BytesAnswer;

/** A stream whose first real event has arrived. */
export interface Stream {
  readonly kind: 'stream';
  /** The frames up to and including the first real event. */
  readonly first: readonly SeenFrame[];
  readonly rest: Pieces;
  readonly parser: SseParser;
  readonly masking: Masking;
  readonly meter: Meter;
  readonly discard: () => void;
}

/** A reply that was read to its end before any of it goes out. */
export interface WholeAnswer extends ParsedReply {
  readonly kind: 'whole';
  readonly status: number;
}

/** A whole reply and what was counted of it. */
export interface ParsedReply {
  readonly bytes: Buffer;
  /** The parsed `bytes`; for a reply read in another thread, only the fields needed later. */
  readonly body: object;
  readonly meter: Meter;
  /** Set if another thread read the reply and did this work too. */
  readonly far?: {
    /** `bytes` were converted to the caller's format. */
    readonly isConverted: boolean;
    /** Why it cannot be expressed in the caller's format. */
    readonly refused: AppError | undefined;
    /** The sensitive word it contains, if replies are checked. */
    readonly word: string | undefined;
  };
}

/** How a whole reply is read, beside its format. */
export interface ReplyOptions {
  /** The room that the bytes of the reply are counted in. */
  readonly room: Pick<AnswerShare, 'read'>;
  readonly asCaller?: ReplyWriter | undefined;
  /** Reads a large reply in another thread; undefined if none is available. */
  readonly far?: ((pieces: readonly Buffer[]) => Promise<ParsedReply | undefined>) | undefined;
  /** Read even a small reply in another thread: its request was read there. */
  readonly isFar?: boolean;
  readonly hasCome?: () => void;
  /** Receives what was counted of an answer that failed, because its upstream may still charge the operator for it. */
  readonly unpaid?: (meter: Meter) => void;
  /** A background response: all it needs to have is its id, by which it is fetched later. */
  readonly mayComeLater?: boolean;
}

/** Audio or plain text whose first bytes have arrived. */
export interface BytesAnswer {
  readonly kind: 'bytes';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly first: Buffer;
  readonly rest: Pieces;
  readonly meter: Meter;
  readonly discard: () => void;
}

const NOTHING = Buffer.alloc(0);
const ERROR_BODY_MAX_BYTES = 64 * 1024;
/** Room for what precedes the first real event, which may itself be of maximum size. */
const PREAMBLE_BYTES = 256 * 1024;
/** Many times the number of comments and pings that arrive within the longest wait for an answer. */
const PREAMBLE_FRAMES = 2000;

const parsedOrText = (bytes: Buffer): unknown => {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString('utf8', isMarked ? 3 : 0);
  try {
    return parseChatJson(text);
  } catch {
    return text;
  }
};

interface Refusing {
  readonly upstream: Upstream;
  readonly secrets: Secrets;
  /** Wall clock. */
  readonly nowMs: number;
}

/** Throws the error in a reply whose status is not 2xx. */
export const refuseStatus = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  { upstream, secrets, nowMs }: Refusing,
): Promise<void> => {
  if (reply.status >= 200 && reply.status < 300) return;
  const bytes = await readAll(reply.body, ERROR_BODY_MAX_BYTES).catch(() => undefined);
  const body = parsedOrText(bytes === undefined ? NOTHING : secrets.mask(bytes));
  const reader = upstream.readError === undefined ? format : { readError: upstream.readError.bind(upstream) };
  const error = reader.readError(reply.status, body, retryAfterOf(reply.headers, nowMs));
  throw withoutSecrets(error, secrets);
};

/** Reads a whole 2xx reply. Throws if it is an error or not in this format. */
export const wholeAnswer = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  secrets: Secrets,
  options: ReplyOptions,
): Promise<WholeAnswer> => {
  const parse = (bytes: Buffer) => parseReply(bytes, format, secrets, options);
  return { kind: 'whole', status: reply.status, ...(await readParsed(reply, parse, options)) };
};

/** Reads a reply in another thread if it is large, else in this one. */
const readParsed = async (
  reply: OutboundReply,
  parse: (bytes: Buffer) => ParsedReply,
  { room, far, isFar = false, hasCome }: ReplyOptions,
): Promise<ParsedReply> => {
  const pieces = await room.read(reply.body);
  hasCome?.();
  const isLarge = pieces.reduce((length, piece) => length + piece.length, 0) > AT_ONCE_MAX_BYTES;
  return (isLarge || isFar ? await far?.(pieces) : undefined) ?? parse(joined(pieces));
};

/** Reads a whole reply and masks secrets in its bytes. Throws the error it holds, or an error if it holds no answer. */
export const parseReply = (
  sent: Buffer,
  format: UpstreamFormat,
  secrets: Secrets,
  { asCaller, unpaid, mayComeLater = false }: Pick<ReplyOptions, 'asCaller' | 'unpaid' | 'mayComeLater'> = {},
): ParsedReply => {
  const bytes = secrets.mask(asCaller?.(sent) ?? sent);
  const parsed =
    'parseWhole' in format && format.parseWhole !== undefined
      ? format.parseWhole(bytes)
      : parsedOrText(bytes);
  const folded = typeof parsed === 'string' ? streamAsWhole(format, bytes, unpaid) : undefined;
  const body = folded ?? unlisted(parsed);
  if (typeof body !== 'object' || body === null) throw notJson(parsed);
  const tapped = format.tapWhole(body);
  const meter = newMeter();
  note(meter, tapped);
  if (tapped.error !== undefined) {
    unpaid?.(meter);
    throw tapped.error;
  }
  if (isEmpty(format, tapped) && !(mayComeLater && isUnfinished({ ...body }))) {
    unpaid?.(meter);
    throw answerUnread('the upstream answered with nothing');
  }
  meter.finished = true;
  meter.produced = true;
  return { bytes: folded === undefined ? bytes : Buffer.from(JSON.stringify(folded)), body, meter };
};

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
  const { begins = never, maxEventBytes = MAX_EVENT_BYTES, seesFar } = options;
  const parser = new SseParser(maxEventBytes);
  const masking = maskingOf(secrets);
  const meter = newMeter();
  const first: SeenFrame[] = [];
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
      let isReal = false;
      const far = await seesFar?.(frames);
      for (const came of frames) {
        if (came.oversized === true && maxEventBytes > MAX_EVENT_BYTES)
          throw answerUnread('the upstream sent an event that is too large to be converted');
        const { frame, tapped } = far?.get(came) ?? maskAndTap(came, format, masking);
        if (tapped?.error !== undefined && !isExcused(tapped, meter)) {
          note(meter, tapped);
          throw tapped.error;
        }
        if (frame.oversized === true && !meter.produced && !isEvent(frame.raw))
          throw answerUnread('the upstream sent no events');
        noteFrame(meter, frame, tapped);
        first.push({ frame, tapped });
        isReal ||= meter.produced || begins(frame);
      }
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
