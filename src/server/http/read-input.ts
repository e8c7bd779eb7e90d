import type { z } from 'zod';
import type { EndpointShape } from '#contract/endpoint.ts';
import { API_BODY_MAX_BYTES } from '#contract/limits.ts';
import { refusedInput } from '#contract/issue-phrase.ts';
import { type Phrase, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';
import { sayError } from '../control/refuse.ts';

/** Params, query and body by the endpoint's schemas. Throws `invalid_request` naming the field. */
export const readInput = async (
  endpoint: EndpointShape,
  request: Request,
  params: Record<string, string>,
): Promise<{ params: unknown; query: unknown; body: unknown }> => ({
  params: parse(endpoint.params, params),
  query: parse(endpoint.query, endpoint.query && Object.fromEntries(new URL(request.url).searchParams)),
  body: endpoint.body === undefined ? undefined : parse(endpoint.body, await readJson(request)),
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

const readJson = async (request: Request): Promise<unknown> => {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw sayError('unsupported_media_type', 'json_only');
  try {
    return JSON.parse(await readText(request)) as unknown;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw sayError('invalid_request', 'body_not_json', {}, { cause: error });
  }
};

const readText = async (request: Request): Promise<string> => {
  const tooLarge = (): AppError =>
    sayError('payload_too_large', 'body_too_large', { limit: API_BODY_MAX_BYTES });
  if (Number(request.headers.get('content-length') ?? 0) > API_BODY_MAX_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > API_BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
};
