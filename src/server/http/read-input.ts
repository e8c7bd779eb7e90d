import type { z } from 'zod';
import type { EndpointShape } from '#contract/endpoint.ts';
import { API_BODY_MAX_BYTES, PUBLIC_BODY_MAX_BYTES } from '#contract/limits.ts';
import { refusedInput } from '#contract/issue-phrase.ts';
import { type Phrase, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';
import { assertJsonBounds } from '#core/json-bounds.ts';
import { sayError } from '../control/refuse.ts';

/** Params, query and body by the endpoint's schemas. Throws `invalid_request` naming the field. */
export const readInput = async (
  endpoint: EndpointShape,
  request: Request,
  params: Record<string, string>,
): Promise<{ params: unknown; query: unknown; body: unknown }> => ({
  params: parse(endpoint.params, params),
  query: parse(endpoint.query, endpoint.query && Object.fromEntries(new URL(request.url).searchParams)),
  body:
    endpoint.body === undefined
      ? undefined
      : parse(endpoint.body, await readJson(request, mostBytes(endpoint))),
});

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

/** Whoever anybody may be sends a few short fields. */
const mostBytes = ({ access }: EndpointShape): number =>
  access === 'public' ? PUBLIC_BODY_MAX_BYTES : API_BODY_MAX_BYTES;

const readJson = async (request: Request, maxBytes: number): Promise<unknown> => {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw sayError('unsupported_media_type', 'json_only');
  try {
    return JSON.parse(await readText(request, maxBytes)) as unknown;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw sayError('invalid_request', 'body_not_json', {}, { cause: error });
  }
};

const readText = async (request: Request, maxBytes: number): Promise<string> => {
  const tooLarge = (): AppError => sayError('payload_too_large', 'body_too_large', { limit: maxBytes });
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  assertJsonBounds(whole);
  return new TextDecoder('utf-8', { fatal: true }).decode(whole);
};
