import type { z } from 'zod';
import type { EndpointShape } from '#contract/endpoint.ts';
import { API_BODY_MAX_BYTES, PUBLIC_BODY_MAX_BYTES } from '#contract/limits.ts';
import { refusedInput } from '#contract/issue-phrase.ts';
import { type Phrase, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';
import { assertReadAtOnce } from '#core/json/bounds.ts';
import { sayError } from '../control/refuse.ts';
import type { RoomShare } from '#core/limits/shared-room.ts';
import { wholeBody } from './bodies/whole-body.ts';

/**
 * Parses params, query and body by the endpoint's schemas. Throws `invalid_request` naming the field.
 * @param room counts the body while it is in memory; throws if it is full
 */
export const readInput = async (
  endpoint: EndpointShape,
  request: Request,
  params: Record<string, string>,
  room: Room,
): Promise<{ params: unknown; query: unknown; body: unknown; file: unknown }> => ({
  params: parse(endpoint.params, params),
  query: parse(endpoint.query, endpoint.query && firsts(new URL(request.url).searchParams)),
  body:
    endpoint.body === undefined
      ? undefined
      : parse(endpoint.body, reshaped(endpoint, await readJson(request, endpoint, room))),
  file: endpoint.upload === undefined ? undefined : uploaded(request, endpoint.upload.maxBytes),
});

/** A file as it arrives. Its type is not looked at, because browsers guess it from the name. */
const uploaded = (request: Request, maxBytes: number): AsyncIterable<Uint8Array> => {
  assertUnpacked(request);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return atMost(request.body ?? [], maxBytes);
};

const assertUnpacked = (request: Request): void => {
  if (!/^(?:identity)?$/i.test(request.headers.get('content-encoding') ?? ''))
    throw sayError('unsupported_media_type', 'body_packed');
};

/** If a parameter is given twice, the first counts, as for the relay. */
const firsts = (parameters: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...parameters].reverse());

const reshaped = ({ reshape }: EndpointShape, body: unknown): unknown =>
  reshape === undefined ? body : reshape(body);

const parse = (schema: z.ZodType | undefined, value: unknown): unknown => {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const { key, values }: Phrase = issue === undefined ? { key: 'body_not_json' } : refusedInput(issue);
  throw new AppError('invalid_request', say(key, 'en', values), {
    reason: key,
    ...(values === undefined ? {} : { values }),
    param: issue?.path.join('.') ?? '',
  });
};

type Room = Pick<RoomShare, 'take' | 'give'>;

/** Public endpoints only need a few short fields. */
const mostBytes = ({ access, bodyMaxBytes = API_BODY_MAX_BYTES }: EndpointShape): number =>
  access === 'public' ? PUBLIC_BODY_MAX_BYTES : bodyMaxBytes;

const readJson = async (request: Request, endpoint: EndpointShape, room: Room): Promise<unknown> => {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw sayError('unsupported_media_type', 'json_only');
  assertUnpacked(request);
  try {
    return JSON.parse(await readText(request, endpoint, room)) as unknown;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw sayError('invalid_request', 'body_not_json', {}, { cause: error });
  }
};

const readText = async (request: Request, endpoint: EndpointShape, room: Room): Promise<string> => {
  const maxBytes = mostBytes(endpoint);
  const length = request.headers.get('content-length');
  const announced = length === null ? undefined : Number(length);
  if ((announced ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const whole = await wholeBody(atMost(request.body ?? [], maxBytes), room, announced);
  assertReadAtOnce(whole, endpoint.bodyMaxValues);
  return new TextDecoder('utf-8', { fatal: true }).decode(whole);
};

/** The pieces of a body; throws `payload_too_large` beyond that many bytes. */
export async function* atMost(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

const tooLarge = (limit: number): AppError => sayError('payload_too_large', 'body_too_large', { limit });
