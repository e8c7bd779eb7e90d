import { parseChatJson } from '#core/exact-json.ts';
import type { OutboundBody, OutboundReply, Pieces } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Tapped } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import { MAX_EVENT_BYTES, SseParser, writeFrame } from '../dialects/sse.ts';
import type { UpstreamFormat } from './format.ts';
import { isUnfinished } from './kept/background-bill.ts';
import { maskFrame } from './mask.ts';
import { type Meter, newMeter, note, noteFrame } from './meter.ts';
import type { Upstream } from './ports.ts';
import { streamAsWhole } from './stream-as-whole.ts';
import { upstreamFailed } from './upstream-failed.ts';
import { withoutSecrets } from './without-secrets.ts';
import { wholeAsStream } from './whole-as-stream.ts';

/** A whole reply that can be given to the caller, or a stream whose first real event has come. */
export type Answer =
  | {
      readonly kind: 'whole';
      readonly status: number;
      readonly bytes: Buffer;
      /** What `bytes` hold. */
      readonly body: object;
      readonly meter: Meter;
    }
  | {
      readonly kind: 'stream';
      /** What came before and with the first real event. */
      readonly first: readonly SeenFrame[];
      readonly rest: Pieces;
      readonly parser: SseParser;
      readonly meter: Meter;
      readonly discard: () => void;
    }
  | BytesAnswer;

/** A sound or a text, whose first bytes have come. */
export interface BytesAnswer {
  readonly kind: 'bytes';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly first: Buffer;
  readonly rest: Pieces;
  readonly meter: Meter;
  readonly discard: () => void;
}

export interface SeenFrame {
  readonly frame: Frame;
  readonly tapped: Tapped | undefined;
}

const NOTHING = Buffer.alloc(0);
const ERROR_BODY_MAX_BYTES = 64 * 1024;
export const WHOLE_BODY_MAX_BYTES = 64 * 1024 * 1024;
/** The first real event may be as large as an event can be, with something before it. */
const PREAMBLE_BYTES = 256 * 1024;

const parsedOrText = (bytes: Buffer): unknown => {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = bytes.toString('utf8', isMarked ? 3 : 0);
  try {
    return parseChatJson(text);
  } catch {
    return text;
  }
};

/** Throws the error a reply with a status other than 2xx holds. */
export const refuseStatus = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  upstream: Upstream,
  secrets: Secrets,
): Promise<void> => {
  if (reply.status >= 200 && reply.status < 300) return;
  const bytes = await readAll(reply.body, ERROR_BODY_MAX_BYTES).catch(() => undefined);
  const retryAfter = reply.headers['retry-after'];
  const body = parsedOrText(bytes === undefined ? NOTHING : secrets.mask(bytes));
  const reader = upstream.readError === undefined ? format : { readError: upstream.readError.bind(upstream) };
  const error = reader.readError(reply.status, body, typeof retryAfter === 'string' ? retryAfter : undefined);
  throw withoutSecrets(error, secrets);
};

/** Formats whose taps see every answer there can be: text, a call, a vector, or at least an end or a usage. */
const TELLING: ReadonlySet<string> = new Set([
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-responses',
  'anthropic-messages',
  'gemini',
]);

/**
 * `{}`, `[]` and `{"choices":[]}`: JSON, and no more an answer than a stream that is empty. A response that is still being
 * made tells nothing but its id.
 */
const isEmpty = (format: UpstreamFormat, body: object, { usage, finish, content }: Tapped): boolean =>
  TELLING.has(format.name) &&
  usage === undefined &&
  finish === undefined &&
  content !== true &&
  !isUnfinished({ ...body });

/** A whole reply under 2xx, unless it is an error or nothing this format knows. */
export const wholeAnswer = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  secrets: Secrets,
): Promise<Answer> => {
  const bytes = await readAll(reply.body, WHOLE_BODY_MAX_BYTES);
  if (bytes === undefined) throw upstreamFailed('the reply is too long');
  const masked = secrets.mask(bytes);
  const told =
    'parseWhole' in format && format.parseWhole !== undefined
      ? format.parseWhole(masked)
      : parsedOrText(masked);
  const folded = typeof told === 'string' ? streamAsWhole(format, masked) : undefined;
  const body = folded ?? told;
  if (typeof body !== 'object' || body === null)
    throw upstreamFailed('the upstream answered with something that is not JSON');
  const tapped = format.tapWhole(body);
  if (tapped.error !== undefined) throw tapped.error;
  if (isEmpty(format, body, tapped)) throw upstreamFailed('the upstream answered with nothing');
  const meter = newMeter();
  note(meter, tapped);
  meter.finished = true;
  meter.produced = true;
  const given = folded === undefined ? bytes : Buffer.from(JSON.stringify(folded));
  return { kind: 'whole', status: reply.status, bytes: given, body, meter };
};

/**
 * Waits for the first event a caller could see. Until then everything is kept back, so that the call can still go to
 * another channel: an error under status 200, an empty stream and a web page are failures like any other.
 * @param begins whether an event is worth giving away by itself, before anything can be seen
 * @param maxEventBytes events larger than this pass in pieces and are not read
 */
export const streamAnswer = async (
  reply: OutboundReply,
  format: UpstreamFormat,
  secrets: Secrets,
  begins: (frame: Frame) => boolean = never,
  maxEventBytes = MAX_EVENT_BYTES,
): Promise<Answer> => {
  const parser = new SseParser(maxEventBytes);
  const meter = newMeter();
  const first: SeenFrame[] = [];
  const rest = reply.body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const next = await rest.next();
      const frames = next.done === true ? parser.end() : parser.feed(next.value);
      if (bytes === 0 && next.done !== true && isWhole(next.value)) {
        return await streamed(
          format,
          await wholeAnswer({ ...reply, body: joinedBody(next.value, reply.body) }, format, secrets),
        );
      }
      let isReal = false;
      for (const frame of frames) {
        maskFrame(frame, secrets);
        const tapped = format.tap(frame);
        if (tapped?.error !== undefined) throw tapped.error;
        if (frame.oversized === true && !meter.produced && !isEvent(frame.raw))
          throw upstreamFailed('the upstream sent no events');
        noteFrame(meter, frame, tapped);
        first.push({ frame, tapped });
        isReal ||= meter.produced || begins(frame);
      }
      if (next.done !== true) bytes += next.value.length;
      if (isReal) {
        return { kind: 'stream', first, rest, parser, meter, discard: () => reply.body.discard() };
      }
      if (bytes > maxEventBytes + PREAMBLE_BYTES)
        throw upstreamFailed('the upstream sent a lot and no answer');
      if (next.done === true || meter.finished)
        throw upstreamFailed('the upstream ended the stream without an answer');
    }
  } catch (thrown) {
    reply.body.discard();
    throw thrown;
  }
};

const never = (): boolean => false;

const isEvent = (raw: Buffer): boolean => raw.toString('latin1', 0, 5) === 'data:';

const LESS_THAN = 0x3c;
const BRACE = 0x7b;

/** Whether a body that should be a stream is one JSON value. Throws for a web page. */
const isWhole = (chunk: Buffer): boolean => {
  let at = chunk[0] === 0xef ? 3 : 0;
  while (at < chunk.length && (chunk[at] ?? 0) <= 0x20) at += 1;
  if (chunk[at] === LESS_THAN) throw upstreamFailed('the upstream answered with a web page');
  return chunk[at] === BRACE;
};

const joinedBody = (first: Buffer, rest: OutboundBody): OutboundBody => ({
  async *[Symbol.asyncIterator]() {
    yield first;
    yield* rest;
  },
  discard: () => rest.discard(),
});

const NOTHING_MORE: Pieces = { next: () => Promise.resolve({ done: true, value: undefined }) };

/** A whole answer where a stream was asked for, given as a stream. */
const streamed = async (format: UpstreamFormat, answer: Answer): Promise<Answer> => {
  if (answer.kind !== 'whole') return answer;
  if (!('openReader' in format))
    throw upstreamFailed('the upstream answered whole where a stream was asked for');
  const frames =
    'openWriter' in format ? wholeAsStream(format, answer.body) : [writeFrame(JSON.stringify(answer.body))];
  return {
    kind: 'stream',
    first: frames.map((frame) => ({ frame, tapped: format.tap(frame) })),
    rest: NOTHING_MORE,
    parser: new SseParser(),
    meter: answer.meter,
    discard: () => undefined,
  };
};
