import { AppError } from '#core/error.ts';
import { Secrets } from '#core/secrets/secrets.ts';
import { type ReplyOptions, replyOptions, wordInReply } from '#core/words/check-reply.ts';
import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { parseReply, type ParsedReply } from '../answer/answer.ts';
import { callersReply, wholeAsStream } from '../answer/whole-reply.ts';
import { withFailuresAsErrors } from '../request/format.ts';
import type { Upstream } from '../../dialects/upstream.ts';
import type { RelayCall } from '../calls.ts';
import { convertWhole } from '../answer/rewrite.ts';
import type { FarRequest } from '../request/request.ts';
import type { RequestFacts } from '../../dialects/dialect.ts';
import type { ReplyContext, Sent } from '../stages.ts';
import {
  channelToWire,
  errorFromWire,
  errorToWire,
  type FarAnswers,
  type FarReply,
  type FarThreads,
} from './far-wire.ts';
import { AskedFar } from './far-request.ts';
import { bufferOf, copied, ofItsOwn } from './own-bytes.ts';

/** A reply whose thread dies is retried in this many threads, and then read on this one. */
const MOST_THREADS = 2;
/** At most this many items of one list are used. */
const MOST_ITEMS = 256;
const MOST_PICTURES = 10_000;

/** What another thread needs to know of a call to read its reply. */
export interface FarHeard extends ReplyContext, Pick<Sent, 'channel' | 'secrets'> {
  readonly call: Pick<RelayCall, 'operation' | 'dialect' | 'requestId'>;
  readonly live: Pick<Sent['live'], 'background'>;
  readonly routing: { readonly options: ReplyOptions };
  readonly request: {
    readonly facts: Pick<RequestFacts, 'model' | 'inputTokensEstimate'>;
    readonly fields: Fields;
    readonly far?: FarRequest;
  };
}

/**
 * Reads large whole replies of this attempt in another thread.
 * @param isForCaller the provider converts the reply using fields of the caller's request
 * @param isForStream a stream was asked for: the reply's bytes become one, in the upstream's format
 */
export const farReading = (
  threads: FarThreads | undefined,
  sent: FarHeard,
  { isForCaller = false, isForStream = false },
): ((pieces: readonly Buffer[]) => Promise<ParsedReply | undefined>) | undefined => {
  if (threads === undefined) return undefined;
  const { far } = sent.request;
  if (isForCaller && far instanceof AskedFar)
    return async (pieces) =>
      fromFar(
        await far.ask<'reply'>({ ...asked(sent, isForCaller, isForStream), bytes: await copied(pieces) }),
      );
  return async (pieces) => {
    for (let tries = 0; tries < MOST_THREADS; tries += 1) {
      const bytes = await copied(pieces);
      const parsed = await threads.hear<'reply'>({ ...asked(sent, isForCaller, isForStream), bytes });
      if (parsed !== undefined) return fromFar(parsed);
    }
    return undefined;
  };
};

const asked = (sent: FarHeard, isForCaller: boolean, isForStream: boolean): Omit<FarReply, 'bytes'> => {
  const { call, wire, format, secrets, channel, upstreamModel, createdAtMs, routing } = sent;
  const { facts, fields } = sent.request;
  const { chatRequest } = sent.translations;
  const { model, inputTokensEstimate } = facts;
  return {
    kind: 'reply',
    isForStream,
    call: { operation: call.operation, dialect: call.dialect, requestId: call.requestId },
    createdAtMs,
    facts: { model, inputTokensEstimate },
    channel: channelToWire(channel),
    upstreamModel,
    format: format === wire ? undefined : format.name,
    chatRequest: chatRequest === undefined ? undefined : { ...chatRequest, messages: [] },
    fields: isForCaller ? fields : undefined,
    secrets: { texts: secrets.texts, hosts: secrets.hosts },
    words: replyOptions(routing.options),
    mayComeLater: sent.live.background !== undefined,
  };
};

const fromFar = ({ bytes, body, meter, isConverted, refused, word }: FarAnswers['reply']): ParsedReply => ({
  bytes: bufferOf(bytes),
  body,
  meter,
  far: { isConverted, refused: refused === undefined ? undefined : errorFromWire(refused), word },
});

/** Reads a reply, in the worker thread. Throws as `parseReply`. */
export const readFarReply = (
  { bytes, call, fields, secrets: { texts, hosts }, words, ...reply }: FarReply,
  upstream: Upstream,
  { wire, format }: Pick<ReplyContext, 'wire' | 'format'>,
): FarAnswers['reply'] => {
  const { upstreamModel, chatRequest, createdAtMs, facts } = reply;
  const asCaller =
    fields === undefined
      ? undefined
      : callersReply(upstream, { operation: call.operation, model: upstreamModel, stream: false }, fields);
  const readAs = format.name === wire.name ? format : withFailuresAsErrors(format);
  const { mayComeLater } = reply;
  const parsed = parseReply(bufferOf(bytes), readAs, new Secrets(texts, hosts), { asCaller, mayComeLater });
  const translations = { chatRequest };
  const context = { call, wire, format, translations, upstreamModel, createdAtMs, request: { facts } };
  if (reply.isForStream)
    return { ...NOT_CONVERTED, bytes: ofItsOwn(wholeAsStream(readAs, parsed.body)), meter: parsed.meter };
  const converted = orRefusal(() => convertWhole(context, parsed));
  const refused = converted instanceof AppError ? converted : undefined;
  const written = converted instanceof AppError ? undefined : converted;
  return {
    bytes: ofItsOwn(written ?? parsed.bytes),
    isConverted: written !== undefined,
    body: lookedAt(parsed.body),
    meter: parsed.meter,
    refused: refused === undefined ? undefined : errorToWire(refused),
    word: refused === undefined ? wordInReply(words, saidIn(written, parsed.body)) : undefined,
  };
};

/** A stream is converted and checked as one. */
const NOT_CONVERTED = { isConverted: false, body: {}, refused: undefined, word: undefined } as const;

const orRefusal = (convert: () => Buffer | undefined): Buffer | AppError | undefined => {
  try {
    return convert();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
};

const saidIn = (converted: Buffer | undefined, body: object): unknown =>
  converted === undefined ? body : JSON.parse(converted.toString());

/** The fields of a reply needed later: its id and status, its items, its pictures. */
const lookedAt = (body: object): Fields => {
  const { id, status, usage, output, data } = fieldsOf(body);
  const pictures = Math.min(listOf(data).length, MOST_PICTURES);
  return {
    ...(typeof id === 'string' && { id: textOf(id) }),
    ...(typeof status === 'string' && { status: textOf(status) }),
    ...(isSmall(usage) && { usage }),
    output: listOf(output)
      .slice(0, MOST_ITEMS)
      .map((item) => ({ id: textOf(fieldsOf(item)['id']) })),
    ...(pictures > 0 && { data: Array.from({ length: pictures }, () => ({})) }),
  };
};

const MOST_USAGE_LENGTH = 16_384;
const isSmall = (usage: unknown): boolean =>
  typeof usage === 'object' && JSON.stringify(usage).length <= MOST_USAGE_LENGTH;
