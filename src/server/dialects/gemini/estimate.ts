import { AppError } from '#core/error.ts';
import { estimateTokens } from '../openai/estimate-tokens.ts';
import { textOf, type Fields } from '#core/json/fields.ts';
import { camelFields, camelList } from './fields.ts';

const MAX_CONTENTS = 100_000;
/** What a cached prompt at Google may add; only the response gives the exact number. */
const CACHED_TOKENS = 32_768;
/** A file at Google may be up to an hour of video; most are documents. Pages that Google reads by their addresses are like them. */
const FILE_TOKENS = 10_000;

/**
 * Upper estimate of a prompt in this format, for the hold: text by its bytes, media by type and size
 * (ai.google.dev/gemini-api/docs/tokens: 258 per picture tile or page, 32 per second of sound, 263 per second of
 * video).
 */
export const estimatePrompt = (body: Fields): number => {
  const request = camelFields(body);
  const config = camelFields(request['generationConfig']);
  const contents = camelList(request['contents']);
  if (contents.length > MAX_CONTENTS)
    throw new AppError('invalid_request', 'the request holds too many contents');
  let tokens = 16 + estimateContent(request['systemInstruction']);
  for (const content of contents) tokens += estimateContent(content);
  for (const part of [request['tools'], config['responseSchema'], config['responseJsonSchema']])
    if (part !== undefined) tokens += estimateTokens(part);
  if (camelList(request['tools']).some((tool) => tool['urlContext'] !== undefined)) tokens += FILE_TOKENS;
  return request['cachedContent'] === undefined ? tokens : tokens + CACHED_TOKENS;
};

/** The same of one content: an embedding's, say. */
export const estimateContent = (content: unknown): number => {
  if (typeof content === 'string') return estimateTokens(content);
  let tokens = 4;
  for (const part of camelList(camelFields(content)['parts'])) tokens += estimatePart(part);
  return tokens;
};

const estimatePart = (part: Fields): number => {
  const { inlineData, fileData, ...beside } = part;
  // Text beside a picture in one part also counts.
  if (inlineData !== undefined) return inlineTokens(camelFields(inlineData)) + estimatePart(beside);
  if (fileData !== undefined) return FILE_TOKENS + estimatePart(beside);
  if (typeof part['text'] === 'string') return 2 + estimateTokens(part['text']);
  const answered = camelFields(part['functionResponse']);
  if (answered['parts'] === undefined) return estimateTokens(part);
  const { parts, ...response } = answered;
  return estimateTokens(response) + estimateContent({ parts });
};

const inlineTokens = (blob: Fields): number => {
  const type = textOf(blob['mimeType']) ?? '';
  const length = textOf(blob['data'])?.length ?? 0;
  if (type.startsWith('image/')) return 2000;
  if (type.startsWith('audio/')) return Math.max(500, Math.ceil(length / 500));
  if (type.startsWith('text/')) return Math.ceil(length / 2);
  return Math.max(5000, Math.ceil(length / 20));
};
