import { z } from 'zod';
import type { Usage } from '#core/chat/usage.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { modelName, parseBounds, tokenCount } from '../openai/bounds.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { typedInputs } from '../openai/typed-inputs.ts';
import { promptSize } from '../openai/prompt-size.ts';
import { measurePrompt } from '../openai/usage/estimate-tokens.ts';
import { fieldsOf, isFields, listOf, type Fields } from '#core/json/fields.ts';
import { readPromptUsage } from '../openai/usage/usage.ts';
import { wholeFacts, wholeWire } from '../openai/whole-wire.ts';

const MAX_DOCUMENTS = 10_000;

const bounds = z.object({
  model: modelName,
  query: z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
  documents: z.array(z.unknown()).min(1).max(MAX_DOCUMENTS),
  top_n: tokenCount,
});

const facts = (body: Fields): RequestFacts => {
  const { model, query, documents } = parseBounds(bounds, body);
  const prompt = { model, query: typedInputs(query), documents: typedInputs(documents) };
  const { promptTokensMost, ...size } = promptSize(prompt, ['query', 'documents']);
  const asked = measurePrompt(prompt.query, model);
  const isTyped = prompt.query === query && prompt.documents === documents;
  const isAllSent = isTyped && promptTokensMost !== undefined && asked.most !== undefined;
  const again = documents.length - 1;
  return {
    ...wholeFacts,
    model,
    ...size,
    ...(again > 0 && { readAgainTokens: measurePrompt(prompt.query, model, 'closely').tokens * again }),
    // The query is read again with each document.
    ...(isAllSent && { promptTokensMost: promptTokensMost + asked.most * again }),
  };
};

/** Jina and similar upstreams count tokens in `usage`, SiliconCloud and Cohere in `meta`. */
const readTokens = (body: Fields): Usage | undefined => {
  const meta = fieldsOf(body['meta']);
  const counts = [body['usage'], meta['tokens'], meta['billed_units']].map(fieldsOf);
  for (const count of counts) {
    const usage = readPromptUsage(count);
    if (usage !== undefined) return usage;
  }
  return undefined;
};

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  if (holdsError({ ...body, data: body['results'] ?? body['data'] })) return { error: readErrorInside(body) };
  const usage = readTokens(body);
  const found = listOf(body['results'] ?? body['data']).length > 0;
  return { ...(usage !== undefined && { usage }), ...(found && { content: true }) };
};

/** `POST /v1/rerank`, in the shape Jina, Cohere and most others share. Its bytes are only repeated. */
export const rerank: Wire & { readonly name: 'rerank' } = {
  name: 'rerank',
  ...wholeWire,
  facts,
  tapWhole,
};
