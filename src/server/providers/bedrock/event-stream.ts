import { crc32 } from 'node:zlib';
import { AppError } from '#core/error.ts';
import type { Frame } from '../../dialects/frame.ts';
import { ownOf, parsedFields, textOf } from '#core/json/fields.ts';
import { writeFrame } from '../../dialects/sse.ts';

/** Every message begins with its lengths and their checksum. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** Far above the size of any model's event. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** One message of AWS's binary framing: its text headers and its payload. */
export interface EventMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

const broken = (): AppError => new AppError('upstream_failed', 'the upstream sent a broken event stream');

/**
 * Splits bytes into messages (smithy.io, event stream encoding): lengths, headers, payload, with CRC-32 checksums. Chunks
 * may be cut anywhere. Throws `upstream_failed` for a damaged, oversized or truncated message.
 */
export async function* readMessages(bytes: AsyncIterable<Buffer>): AsyncGenerator<EventMessage> {
  // Joined once a message is complete: to copy what is there with every chunk takes minutes for a large one.
  let pieces: Buffer[] = [];
  let [bytesHere, bytesWanted] = [0, PRELUDE_BYTES];
  for await (const chunk of bytes) {
    pieces.push(chunk);
    bytesHere += chunk.length;
    if (bytesHere < bytesWanted) continue;
    let pending = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    let length = lengthOf(pending);
    for (; length <= pending.length; length = lengthOf(pending)) {
      yield readMessage(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
    pieces = [pending];
    bytesHere = pending.length;
    bytesWanted = Number.isFinite(length) ? length : PRELUDE_BYTES;
  }
  if (bytesHere > 0) throw broken();
}

/** The total length of the first message; larger than `pending` until the prelude is complete. */
const lengthOf = (pending: Buffer): number => {
  if (pending.length < PRELUDE_BYTES) return Infinity;
  const length = pending.readUInt32BE(0);
  const isSound =
    crc32(pending.subarray(0, 8)) === pending.readUInt32BE(8) &&
    length >= PRELUDE_BYTES + CHECKSUM_BYTES &&
    length <= MAX_MESSAGE_BYTES &&
    pending.readUInt32BE(4) <= length - PRELUDE_BYTES - CHECKSUM_BYTES;
  if (!isSound) throw broken();
  return length;
};

const readMessage = (message: Buffer): EventMessage => {
  const end = message.length - CHECKSUM_BYTES;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) throw broken();
  const headersEnd = PRELUDE_BYTES + message.readUInt32BE(4);
  return {
    headers: readHeaders(message.subarray(PRELUDE_BYTES, headersEnd)),
    payload: message.subarray(headersEnd, end),
  };
};

/** The size in bytes of a header's value, for types of a fixed size. */
const FIXED: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TEXT_TYPE = 7;
const BYTES_TYPE = 6;

const readHeaders = (bytes: Buffer): Record<string, string> => {
  const headers: Record<string, string> = {};
  let at = 0;
  try {
    while (at < bytes.length) {
      const nameEnd = at + 1 + bytes.readUInt8(at);
      const name = bytes.toString('utf8', at + 1, nameEnd);
      const type = bytes.readUInt8(nameEnd);
      at = nameEnd + 1;
      if (type === TEXT_TYPE || type === BYTES_TYPE) {
        const valueEnd = at + 2 + bytes.readUInt16BE(at);
        if (type === TEXT_TYPE) headers[name] = bytes.toString('utf8', at + 2, valueEnd);
        at = valueEnd;
      } else {
        const size = FIXED[type];
        if (size === undefined) throw broken();
        at += size;
      }
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('upstream_failed', broken().message, { cause });
  }
  return headers;
};

/** Bedrock's exceptions as error types of the Messages format. */
const ERROR_TYPES: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  validationException: 'invalid_request_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
};

/**
 * Turns AWS's framing into server-sent events. A chunk of InvokeModel holds one event of the model's own format in base64;
 * a message of ConverseStream is the event that its header names; an exception becomes an `error` event for both.
 */
export async function* readBedrockFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  for await (const { headers, payload } of readMessages(bytes)) {
    const body = parsedFields(payload) ?? {};
    if (headers[':message-type'] !== 'event') {
      const name = headers[':exception-type'] ?? headers[':error-code'] ?? '';
      const message = textOf(body['message']) ?? headers[':error-message'] ?? name;
      const error = { type: ownOf(ERROR_TYPES, name) ?? 'api_error', message };
      yield writeFrame(JSON.stringify({ type: 'error', error }), 'error');
      continue;
    }
    const encoded = textOf(body['bytes']);
    if (encoded === undefined) {
      const name = headers[':event-type'] ?? '';
      if (name !== '' && name !== 'chunk') yield writeFrame(JSON.stringify(body), name);
      continue;
    }
    const text = Buffer.from(encoded, 'base64').toString();
    yield writeFrame(text.replaceAll('\n', ' '), textOf(parsedFields(text)?.['type']) ?? '');
  }
}
