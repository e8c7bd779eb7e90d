import { HOLD_TO_FAIR } from '#core/quota/charge.ts';
import { z } from 'zod';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { readError, readErrorInside, writeError, writeStreamError } from '../gemini/error.ts';
import { sizeOfContents } from '../gemini/estimate.ts';
import { camelFields, camelList } from '../gemini/fields.ts';
import { readUsage } from '../gemini/usage.ts';
import { anyObject, modelName, parseBounds, tokenCount } from '../openai/bounds.ts';
import { assertVectorsFit } from '../openai/vectors.ts';
import { MARKUP_TOKENS } from '../openai/prompt-size.ts';
import { fieldsOf, isFields, listOf, type Fields } from '#core/json/fields.ts';

const one = z.object({ model: modelName, content: anyObject, outputDimensionality: tokenCount });
const many = z.object({ model: modelName, requests: z.array(anyObject).min(1) });

const size = z.object({ outputDimensionality: tokenCount });

/** The size that is asked for: since Gemini Embedding 2 in an object of its own. */
const sizeIn = (request: Fields): number | undefined =>
  parseBounds(size, camelFields(request['embedContentConfig'])).outputDimensionality ??
  parseBounds(size, request).outputDimensionality ??
  undefined;

/**
 * The longest films and documents that are embedded: 120 seconds at 295 tokens, and six pages, with room for what is written on
 * them (docs.cloud.google.com, Gemini Embedding 2). However many bytes they have, they cost no more.
 */
const FILM_TOKENS = 36_000;
const DOCUMENT_TOKENS = 12_000;
const mostOfFile = (type: string): number => {
  if (type.startsWith('video/')) return FILM_TOKENS;
  return type === 'application/pdf' ? DOCUMENT_TOKENS : Infinity;
};

const contentsOf = (body: Fields): readonly unknown[] =>
  body['requests'] === undefined
    ? [camelFields(body)['content']]
    : camelList(body['requests']).map((request) => request['content']);

const assertFits = (model: string, requests: readonly Fields[]): void => {
  const asked = requests.map(sizeIn);
  const given = asked.filter((length) => length !== undefined);
  assertVectorsFit({
    param: 'requests',
    inputs: requests.length,
    model,
    // An embedding without a size has the model's full size.
    dimensions: given.length < asked.length ? undefined : Math.max(...given),
    isPacked: false,
    remedy: "ask for a smaller 'outputDimensionality' in each",
  });
};

const facts = (body: Fields): RequestFacts => {
  const fields = camelFields(body);
  const { model } = body['requests'] === undefined ? parseBounds(one, fields) : parseBounds(many, fields);
  if (body['requests'] !== undefined) assertFits(model, camelList(body['requests']));
  const { tokens, sound, most } = sizeOfContents(contentsOf(body), mostOfFile);
  return {
    model,
    stream: false,
    maxOutputTokens: 0,
    choices: 1,
    inputTokensEstimate: MARKUP_TOKENS + tokens,
    ...(sound > 0 && { soundTokens: sound }),
    ...(most !== undefined && { promptTokensMost: MARKUP_TOKENS + most }),
    wantsStreamUsage: false,
  };
};

/** Google reports usage only for some embeddings; for others, text is counted at about four bytes a token. */
const usageWithoutReport = (body: Fields): Usage => {
  let inputTokens = 0;
  let audioInputTokens = 0;
  for (const content of contentsOf(body)) {
    const { tokens, sound } = sizeOfContents([content], mostOfFile);
    inputTokens += Math.ceil((tokens - sound) / HOLD_TO_FAIR);
    audioInputTokens += Math.ceil(sound / HOLD_TO_FAIR);
  }
  return { ...noUsage, inputTokens, audioInputTokens, estimated: true };
};

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  if (body['error'] !== undefined && body['error'] !== null) return { error: readErrorInside(body) };
  const usage = readUsage(camelFields(body)['usageMetadata']);
  const hasContent =
    listOf(fieldsOf(body['embedding'])['values']).length > 0 || listOf(body['embeddings']).length > 0;
  return { ...(usage !== undefined && { usage }), ...(hasContent && { content: true }) };
};

/** Google's `:embedContent` and `:batchEmbedContents`, forwarded unchanged. */
export const geminiEmbeddings: Wire & { readonly name: 'gemini-embeddings' } = {
  name: 'gemini-embeddings',
  facts,
  tap: () => undefined,
  tapWhole,
  usageWithoutReport,
  readError,
  writeError,
  writeStreamError,
};
