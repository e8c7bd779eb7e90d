import { AT_ONCE_MAX_BYTES } from '#core/json/bounds.ts';
import { retryAfterOf } from '#core/channel/health/rate-headers.ts';
import { answerUnread, type AppError, withUpstream } from '#core/error.ts';
import { parseChatJson } from '#core/json/exact.ts';
import type { OutboundReply, Pieces } from '#core/outbound/outbound.ts';
import { joined, readAll } from '#core/read-all.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import { hideCosts } from '../../dialects/hide-costs.ts';
import type { SseParser } from '../../dialects/sse.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { isUnfinished } from '../../dialects/openai-responses/reply/response-status.ts';
import { type Masking, type SeenFrame, withoutSecrets } from './mask.ts';
import { type Meter, newMeter, note } from '../bill/meter.ts';
import { isEmpty, notJson, type ReplyWriter, streamAsWhole, unlisted } from './whole-reply.ts';
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

/** A whole reply, and what the meter counted of it. */
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
  /** Reads even a small reply in another thread, because its request was read there. */
  readonly isFar?: boolean;
  /** Called when a complete reply is passed to another thread, where it may have to wait. */
  readonly hasCome?: () => void;
  /** Receives what was counted of an answer that failed, because its upstream may still charge the operator for it. */
  readonly unpaid?: (meter: Meter) => void;
  /** A background response. It needs only an id, by which it is fetched later. */
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

/** How a web page begins. Gateways in front of an upstream answer with one if something is wrong. */
export const PAGE = /^\s{0,100}<(?:!doctype|html)/i;

/** Throws the error in a reply whose status is not 2xx. */
export const refuseStatus = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  { upstream, secrets, nowMs }: Refusing,
): Promise<void> => {
  if (reply.status >= 200 && reply.status < 300) return;
  const bytes = await readAll(reply.body, ERROR_BODY_MAX_BYTES).catch(() => undefined);
  const body = parsedOrText(bytes === undefined ? NOTHING : secrets.mask(bytes));
  const retryAfter = retryAfterOf(reply.headers, nowMs);
  const error =
    upstream.readError?.(reply.status, body, retryAfter, format.name) ??
    format.readError(reply.status, body, retryAfter);
  const isPage = typeof body === 'string' && PAGE.test(body);
  throw withoutSecrets(
    isPage && error.upstream ? withUpstream(error, { ...error.upstream, isPage }) : error,
    secrets,
  );
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
export const readParsed = async (
  reply: OutboundReply,
  parse: (bytes: Buffer) => ParsedReply,
  { room, far, isFar = false, hasCome }: ReplyOptions,
): Promise<ParsedReply> => {
  const reading = room.read(reply.body);
  const pieces = reading instanceof Promise ? await reading : reading;
  if (far === undefined || !(isFar || isLarge(pieces))) return parse(joined(pieces));
  hasCome?.();
  return (await far(pieces)) ?? parse(joined(pieces));
};

const isLarge = (pieces: readonly Buffer[]): boolean => {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length > AT_ONCE_MAX_BYTES;
};

/** Reads a whole reply and masks secrets in its bytes. Throws the error it holds, or an error if it holds no answer. */
export const parseReply = (
  sent: Buffer,
  format: UpstreamFormat,
  secrets: Secrets,
  { asCaller, unpaid, mayComeLater = false }: Pick<ReplyOptions, 'asCaller' | 'unpaid' | 'mayComeLater'> = {},
): ParsedReply => {
  const bytes = secrets.mask(asCaller?.(sent) ?? sent);
  hideCosts(bytes);
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
