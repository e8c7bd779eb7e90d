import { afterOthers } from '#core/time/after-others.ts';
import type { ChatEvent } from '#core/chat/event.ts';
import type { OutboundBody } from '#core/outbound/outbound.ts';
import type { Tapped } from '../../dialects/dialect.ts';
import { SseParser, writeFrame } from '../../dialects/sse.ts';
import { type Meter, newMeter, note } from '../bill/meter.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { answeredByPage, answerLost, answerUnread, AppError } from '#core/error.ts';
import { parsed } from '#contract/json-text.ts';
import { type Fields, isFields } from '#core/json/fields.ts';
import type { Upstream, UpstreamCall } from '../../dialects/upstream.ts';
import { textPieces } from './short-pieces.ts';

/**
 * Turns a stream into the whole reply that was asked for: some upstreams always stream. Undefined if it is not a chat
 * stream. Throws the error it ends with, or an error if it breaks off.
 */
export const streamAsWhole = (
  format: UpstreamFormat,
  bytes: Buffer,
  unpaid?: (meter: Meter) => void,
): object | undefined => {
  if (!('openWriter' in format) || !/^\s*(?:data|event|id|:)/.test(bytes.toString('latin1', 0, 64)))
    return undefined;
  const parser = new SseParser();
  const reader = format.openReader();
  const meter = newMeter();
  let isOver = false;
  const events = [...parser.feed(bytes), ...parser.end()].flatMap((frame) => {
    const tapped = format.tap(frame);
    if (tapped !== undefined) note(meter, tapped);
    isOver ||= tapped?.done === true || tapped?.finish !== undefined;
    return [...reader.read(frame)];
  });
  events.push(...reader.end());
  const failed = events.find((event) => event.type === 'error');
  if (failed !== undefined || !isOver) unpaid?.(meter);
  if (failed?.type === 'error') throw failed.error;
  if (!isOver) throw answerLost('the upstream broke off in the middle of its answer');
  if (!meter.produced) throw answerUnread('the upstream ended the stream without an answer');
  return format.writeWhole(events) as object;
};

/** Longer texts are split into several events, so that reading one of them never takes long. */
const TEXT_LENGTH = 16 * 1024;
const PIECE_BYTES = 64 * 1024;

/** Writes a whole reply as the stream it would have been, for upstreams that do not stream although asked to. */
export const wholeAsStream = (format: UpstreamFormat, body: object): Buffer => {
  if (!('openReader' in format)) throw answerLost('the upstream answered whole where a stream was asked for');
  if (!('openWriter' in format)) return writeFrame(JSON.stringify(body)).raw;
  const writer = format.openWriter();
  const frames = format
    .readWhole(body)
    .flatMap((event) => shortened(event).flatMap((short) => writer.write(short)));
  return Buffer.concat([...frames, ...writer.end()].map(({ raw }) => raw));
};

/** Splits an event with a long text into several. Most events are short and stay one. */
const shortened = (event: ChatEvent): readonly ChatEvent[] => {
  if (event.type === 'tool-call-delta')
    return textsOf(event.argumentsText).map((argumentsText) => ({ ...event, argumentsText }));
  if (event.type === 'refusal-delta' || event.type === 'reasoning-delta')
    return textsOf(event.text).map((text) => ({ ...event, text }));
  if (event.type !== 'text-delta') return [event];
  // Data beside the text goes into the first event only.
  const plain = { type: event.type, choice: event.choice };
  return textsOf(event.text).map((text, at) => ({ ...(at === 0 ? event : plain), text }));
};

const textsOf = (text: string): readonly string[] => textPieces(text, TEXT_LENGTH);

/** Presents bytes in memory as a body that arrives in pieces, so that other work runs between them. */
export const inPieces = (bytes: Buffer): OutboundBody => ({
  async *[Symbol.asyncIterator]() {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      yield bytes.subarray(from, from + PIECE_BYTES);
      await afterOthers();
    }
  },
  discard: () => undefined,
});

/** Writes a whole answer in its caller's format. */
export type ReplyWriter = (bytes: Buffer) => Buffer;

/** Returns the writer for a JSON answer that is not a chat; undefined if the upstream uses the caller's format. */
export const callersReply = (
  upstream: Upstream,
  call: UpstreamCall,
  asked: Fields,
): ReplyWriter | undefined => {
  const read = call.operation === 'chat' ? undefined : upstream.offers[call.operation]?.read;
  if (read === undefined) return undefined;
  return (bytes) => {
    const reply = parsed(bytes.toString());
    // If it cannot be parsed it is passed on unchanged, and the error is reported there.
    return reply === undefined ? bytes : Buffer.from(JSON.stringify(read(reply, call, asked)));
  };
};

/** Formats whose taps recognise every possible answer: text, a call, a vector, a picture, or at least an end. */
const TELLING: ReadonlySet<string> = new Set([
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-images',
  'openai-responses',
  'anthropic-messages',
  'gemini',
]);

/**
 * `{}`, `[]` and `{"choices":[]}` are valid JSON but no more an answer than an empty stream, whether they report usage or
 * not.
 */
export const isEmpty = (format: UpstreamFormat, { finish, content }: Tapped): boolean =>
  TELLING.has(format.name) && finish === undefined && content !== true;

/** Takes an error out of the list that some upstreams put it in, whatever their format. */
export const unlisted = (body: unknown): unknown => {
  if (!Array.isArray(body)) return body;
  const [only, ...others] = body as unknown[];
  const isError = isFields(only) && others.length === 0 && (only['error'] ?? null) !== null;
  return isError ? only : body;
};

/**
 * The error for a reply that is not JSON. An empty one counts as a lost connection. A web page is not a model's
 * answer, so the call was not executed; after any other text it may have been.
 */
export const notJson = (body: unknown): AppError => {
  if (body === '') return new AppError('upstream_failed', 'the upstream answered with nothing');
  const failed = typeof body === 'string' && body.trimStart().startsWith('<') ? answeredByPage : answerUnread;
  return failed('the upstream answered with something that is not JSON');
};
