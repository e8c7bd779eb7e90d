import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { OutboundBody, OutboundReply } from '#core/outbound.ts';
import type { Tapped, Wire } from '../dialects/dialect.ts';
import type { Frame } from '../dialects/frame.ts';
import { SseParser } from '../dialects/sse.ts';
import { type Meter, newMeter, note } from './meter.ts';
import type { Upstream } from './ports.ts';

/** A whole reply that can be given to the caller, or a stream whose first real event has come. */
export type Answer =
  | { readonly kind: 'whole'; readonly status: number; readonly bytes: Buffer; readonly meter: Meter }
  | {
      readonly kind: 'stream';
      /** What came before and with the first real event. */
      readonly first: readonly SeenFrame[];
      readonly rest: AsyncIterator<Buffer>;
      readonly parser: SseParser;
      readonly meter: Meter;
      readonly discard: () => void;
    };

export interface SeenFrame {
  readonly frame: Frame;
  readonly tapped: Tapped | undefined;
}

const ERROR_BODY_MAX_BYTES = 64 * 1024;
const WHOLE_BODY_MAX_BYTES = 64 * 1024 * 1024;
/** More than this without a real event is taken for an answer we do not understand, and repeated. */
const PREAMBLE_MAX_BYTES = 256 * 1024;

const failed = (message: string): AppError =>
  new AppError('upstream_failed', message, { upstream: { status: 0, message } });

/** Reads a body up to a limit; undefined when it is longer. */
const readAll = async (body: OutboundBody, maxBytes: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return undefined;
  }
  const only = chunks[0];
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length);
};

const parsedOrText = (bytes: Buffer): unknown => {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Throws the error a reply with a status other than 2xx holds. */
export const refuseStatus = async (
  reply: OutboundReply,
  wire: Wire,
  upstream: Upstream,
  channel: Channel,
): Promise<void> => {
  if (reply.status >= 200 && reply.status < 300) return;
  const bytes = await readAll(reply.body, ERROR_BODY_MAX_BYTES).catch(() => undefined);
  const retryAfter = reply.headers['retry-after'];
  const body = parsedOrText(bytes ?? Buffer.alloc(0));
  const clean = typeof body === 'string' ? body.replaceAll(channel.key.reveal(), '[key]') : body;
  const reader = upstream.readError === undefined ? wire : { readError: upstream.readError.bind(upstream) };
  throw reader.readError(reply.status, clean, typeof retryAfter === 'string' ? retryAfter : undefined);
};

/** A whole reply under 2xx, unless it is an error or nothing this format knows. */
export const wholeAnswer = async (reply: OutboundReply, wire: Wire): Promise<Answer> => {
  const bytes = await readAll(reply.body, WHOLE_BODY_MAX_BYTES);
  if (bytes === undefined) throw failed('the reply is too long');
  const body = parsedOrText(bytes);
  if (typeof body !== 'object' || body === null)
    throw failed('the upstream answered with something that is not JSON');
  const tapped = wire.tapWhole(body);
  if (tapped.error !== undefined) throw tapped.error;
  const meter = newMeter();
  note(meter, tapped);
  meter.finished = true;
  meter.produced = true;
  return { kind: 'whole', status: reply.status, bytes, meter };
};

/**
 * Waits for the first event a caller could see. Until then everything is kept back, so that the call can still go to
 * another channel: an error under status 200, an empty stream and a web page are failures like any other.
 */
export const streamAnswer = async (reply: OutboundReply, wire: Wire): Promise<Answer> => {
  const parser = new SseParser();
  const meter = newMeter();
  const first: SeenFrame[] = [];
  const rest = reply.body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const next = await rest.next();
      const frames = next.done === true ? parser.end() : parser.feed(next.value);
      if (bytes === 0 && next.done !== true) refuseForeign(next.value);
      let isReal = false;
      for (const frame of frames) {
        const tapped = wire.tap(frame);
        if (tapped?.error !== undefined) throw tapped.error;
        if (tapped !== undefined) note(meter, tapped);
        first.push({ frame, tapped });
        isReal ||= meter.produced;
      }
      if (next.done !== true) bytes += next.value.length;
      if (isReal || bytes > PREAMBLE_MAX_BYTES) {
        return { kind: 'stream', first, rest, parser, meter, discard: () => reply.body.discard() };
      }
      if (next.done === true || meter.finished)
        throw failed('the upstream ended the stream without an answer');
    }
  } catch (thrown) {
    reply.body.discard();
    throw thrown;
  }
};

const LESS_THAN = 0x3c;
const BRACE = 0x7b;

/** A page or a whole JSON reply where a stream was asked for. */
const refuseForeign = (chunk: Buffer): void => {
  let at = 0;
  while (at < chunk.length && (chunk[at] ?? 0) <= 0x20) at += 1;
  if (chunk[at] === LESS_THAN) throw failed('the upstream answered with a web page');
  if (chunk[at] === BRACE) throw failed('the upstream answered whole where a stream was asked for');
};
