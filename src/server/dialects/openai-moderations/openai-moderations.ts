import { z } from 'zod';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { modelName, parseBounds } from '../openai/bounds.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { promptSize } from '../openai/prompt-size.ts';
import { isFields, listOf, type Fields } from '#core/json/fields.ts';
import { findUsage, readPromptUsage } from '../openai/usage/usage.ts';
import { wholeFacts, wholeWire } from '../openai/whole-wire.ts';

/** The answer has about 3 KB for each, and may have 64 MiB. */
const MOST_INPUTS = 10_000;

const bounds = z.object({
  model: modelName,
  input: z.union([z.string().min(1), z.array(z.unknown()).min(1).max(MOST_INPUTS)]),
});

const facts = (body: Fields): RequestFacts => {
  const { model } = parseBounds(bounds, body);
  return {
    ...wholeFacts,
    model,
    ...promptSize(body, ['input']),
  };
};

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  if (holdsError(body)) return { error: readErrorInside(body) };
  const usage = findUsage(body) ?? readPromptUsage(body['usage']);
  return {
    ...(usage !== undefined && { usage }),
    ...(listOf(body['results']).length > 0 && { content: true }),
  };
};

/** `POST /v1/moderations`. Its bytes are only repeated, and it is never streamed. */
export const openaiModerations: Wire & { readonly name: 'openai-moderations' } = {
  name: 'openai-moderations',
  ...wholeWire,
  facts,
  tapWhole,
};
