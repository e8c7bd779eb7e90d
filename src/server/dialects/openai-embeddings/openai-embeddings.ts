import type { Counting } from '../openai/usage/estimate-tokens.ts';
import { z } from 'zod';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { modelName, parseBounds, tokenCount } from '../openai/bounds.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { assertVectorsFit } from '../openai/vectors.ts';
import { numberedTokens, promptSize } from '../openai/prompt-size.ts';
import { typedInputs } from '../openai/typed-inputs.ts';
import { findUsage, readPromptUsage } from '../openai/usage/usage.ts';
import { wholeFacts, wholeWire } from '../openai/whole-wire.ts';

const bounds = z.object({
  model: modelName,
  input: z.union([z.string().min(1), z.array(z.unknown()).min(1)]),
  dimensions: tokenCount,
});

/** A list of numbers is one text, as tokens. */
const inputsIn = (input: string | readonly unknown[]): number =>
  typeof input === 'string' || input.every((item) => typeof item === 'number') ? 1 : input.length;

const facts = (body: Readonly<Record<string, unknown>>, counting?: Counting): RequestFacts => {
  const { model, input, dimensions } = parseBounds(bounds, body);
  assertVectorsFit({
    param: 'input',
    inputs: inputsIn(input),
    model,
    dimensions: dimensions ?? undefined,
    isPacked: body['encoding_format'] === 'base64',
    remedy: "ask for fewer 'dimensions' or for 'encoding_format' \"base64\"",
  });
  const inputs = typedInputs(input);
  const { promptTokensMost, ...size } = promptSize({ ...body, input: inputs }, ['input'], counting);
  return {
    ...wholeFacts,
    model,
    ...size,
    // What has no type may be more than it is taken for.
    ...(promptTokensMost !== undefined && inputs === input && { promptTokensMost }),
    ...numberedTokens(input),
  };
};

const tapWhole = (body: unknown): Tapped => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const reply = body as Readonly<Record<string, unknown>>;
  if (holdsError(reply)) return { error: readErrorInside(reply) };
  const usage = findUsage(reply) ?? readPromptUsage(reply['usage']);
  const hasContent = Array.isArray(reply['data']) && reply['data'].length > 0;
  return { ...(usage !== undefined && { usage }), ...(hasContent && { content: true }) };
};

/** `POST /v1/embeddings`. Its bytes are only repeated, and it is never streamed. */
export const openaiEmbeddings: Wire & { readonly name: 'openai-embeddings' } = {
  name: 'openai-embeddings',
  ...wholeWire,
  facts,
  tapWhole,
};
