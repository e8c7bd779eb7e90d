import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { fieldsOf, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import { readJson, wholeReply } from '../shared/reply/synthetic-reply.ts';
import { sentFields } from '../shared/request/sent-fields.ts';

/**
 * Embeddings of texts and images (www.volcengine.com/docs/82379/1523520). A request makes one vector from all its inputs,
 * so a list of texts takes one request per text.
 */

const MOST_AT_A_TIME = 256;
const SIDE_BY_SIDE = 8;
const MAX_VECTOR_BYTES = 1024 * 1024;

/** Writes an embeddings request of OpenAI's format as a list of inputs, each with the parts of one vector. */
export const writePictureEmbeddings = (body: Fields): Fields => {
  const inputs = inputsIn(body['input']);
  if (inputs.length > MOST_AT_A_TIME)
    throw refused(`this model embeds at most ${String(MOST_AT_A_TIME)} inputs at a time`);
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

/**
 * Requests the vectors, a few at a time, and returns OpenAI's list; the first refusal becomes the reply. The vectors that
 * came beside it are paid.
 */
export const embedEach = async (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const body = sentFields(request);
  const inputs = listOf(body['input']);
  const answers: Fields[] = [];
  const refusals: OutboundReply[] = [];
  let next = 0;
  const askOn = async (): Promise<void> => {
    for (let index = next++; index < inputs.length; index = next++) {
      const asked = { ...request, body: JSON.stringify({ ...body, input: inputs[index] }) };
      const reply = await tools.send(asked, tools.signal);
      if (reply.status >= 200 && reply.status < 300) {
        answers[index] = fieldsOf(await readJson(reply, MAX_VECTOR_BYTES));
      } else {
        next = inputs.length;
        refusals.push(reply);
      }
    }
  };
  const stopAll = (thrown: unknown): never => {
    next = inputs.length;
    throw thrown;
  };
  // What still runs beside a failure is waited for, because its vectors are paid too.
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(SIDE_BY_SIDE, inputs.length) }, () => askOn().catch(stopAll)),
  );
  const failure = ends.find((end) => end.status === 'rejected');
  const refusal = failure === undefined ? refusals.shift() : undefined;
  for (const { body: unread } of refusals) unread.discard();
  const come = Object.values(answers);
  if (come.length < inputs.length && come.length > 0) tools.noteWork?.(listed(come));
  if (failure !== undefined) throw failure.reason;
  return refusal ?? wholeReply(200, listed(answers));
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
