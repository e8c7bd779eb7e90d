import { z } from 'zod';
import type { EndpointShape } from '#contract/endpoint.ts';
import { API_BODY_MAX_BYTES } from '#contract/limits.ts';
import { isMessageKey, type Language, say } from '#contract/messages.ts';
import { AppError } from '#core/error.ts';
import { sayError } from '../control/refuse.ts';

const wordings = { en: z.locales.en().localeError, zh: z.locales.zhCN().localeError };

/** Params, query and body by the endpoint's schemas. Throws `invalid_request` naming the field. */
export const readInput = async (
  endpoint: EndpointShape,
  request: Request,
  params: Record<string, string>,
  language: Language,
): Promise<{ params: unknown; query: unknown; body: unknown }> => ({
  params: parse(endpoint.params, params, language),
  query: parse(
    endpoint.query,
    endpoint.query && Object.fromEntries(new URL(request.url).searchParams),
    language,
  ),
  body: endpoint.body === undefined ? undefined : parse(endpoint.body, await readJson(request), language),
});

const parse = (schema: z.ZodType | undefined, value: unknown, language: Language): unknown => {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { error: wordings[language] });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError('invalid_request', describeIssue(issue, language), {
    param: issue?.path.join('.') ?? '',
  });
};

/** The first thing wrong, in a sentence that names the field. */
export const describeIssue = (issue: z.core.$ZodIssue | undefined, language: Language): string => {
  if (issue === undefined) return say('invalid_parameter', language, { field: '', issue: '' });
  if (isMessageKey(issue.message)) return say(issue.message, language);
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return say('unknown_field', language, { field: [...issue.path, issue.keys[0] ?? ''].join('.') });
  }
  return say('invalid_parameter', language, { field, issue: issue.message });
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
