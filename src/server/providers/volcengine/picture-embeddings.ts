import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { fieldsOf, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import { assertFew, vectorByVector } from '../shared/reply/vector-by-vector.ts';
import { sentFields } from '../shared/request/sent-fields.ts';

/**
 * Embeddings of texts and images (www.volcengine.com/docs/82379/1523520). A request makes one vector from all its inputs,
 * so a list of texts takes one request per text.
 */

/** Writes an embeddings request of OpenAI's format as a list of inputs, each with the parts of one vector. */
export const writePictureEmbeddings = (body: Fields): Fields => {
  const inputs = inputsIn(body['input']);
  assertFew(inputs);
  return { ...body, input: inputs };
};

const inputsIn = (input: unknown): readonly (readonly unknown[])[] => {
  if (!Array.isArray(input)) return [[partOf(input)]];
  // Parts in the upstream's own format belong to one vector.
  return input.some((item) => 'type' in fieldsOf(item)) ? [input] : input.map((item) => [partOf(item)]);
};

const partOf = (text: unknown): Fields => {
  if (typeof text === 'string') return { type: 'text', text };
  throw refused('this upstream takes texts, not tokens');
};

const refused = (message: string): AppError =>
  new AppError('invalid_request', `input: ${message}`, { param: 'input' });

/** Requests the vectors one by one, and returns OpenAI's list. */
export const embedEach = (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const body = sentFields(request);
  const bodies = listOf(body['input']).map((input) => ({ ...body, input }));
  return vectorByVector(request, tools, bodies, { reply: listed });
};

const listed = (answers: readonly Fields[]): Fields => ({
  ...answers[0],
  object: 'list',
  data: answers.map(({ data }, index) => ({ ...fieldsOf(data), object: 'embedding', index })),
  usage: usageOf(answers.map(({ usage }) => fieldsOf(usage))),
});

const usageOf = (usages: readonly Fields[]): Fields => {
  const pictures = total(
    usages.map(({ prompt_tokens_details: details }) => fieldsOf(details)),
    'image_tokens',
  );
  return {
    prompt_tokens: total(usages, 'prompt_tokens'),
    total_tokens: total(usages, 'total_tokens'),
    // They cost more than words.
    ...(pictures > 0 && { prompt_tokens_details: { image_tokens: pictures } }),
  };
};

const total = (counts: readonly Fields[], name: string): number =>
  counts.reduce((sum, told) => sum + (numberOf(told[name]) || 0), 0);
