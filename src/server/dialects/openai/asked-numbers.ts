import { choiceCount, parseField, tokenCount } from './bounds.ts';
import { type Fields, isFields } from '#core/json/fields.ts';

/**
 * How many answers, and of what length, a request asks for in fields beside `n` and `max_tokens` that only some
 * upstreams know: vLLM, SGLang, TGI, Transformers, and gateways that unpack an object of other fields. The body is
 * forwarded unchanged, so the hold must cover the largest reading.
 */

/** Lower case, without separators. */
const ANSWER_WORDS: ReadonlySet<string> = new Set([
  'n',
  'bestof',
  'numreturnsequences',
  'numgenerations',
  'numcompletions',
  'numresponses',
  'numchoices',
  'numoutputs',
  'numresults',
  'numsamples',
  'samples',
  'samplecount',
  'candidatecount',
]);
const LENGTH_WORDS: ReadonlySet<string> = new Set([
  'maxtokens',
  'maxcompletiontokens',
  'maxoutputtokens',
  'maxnewtokens',
  'maxgeneratedtokens',
  'mintokens',
  'minnewtokens',
  'numpredict',
]);

/** Objects with other meanings, not searched: the caller's own data, schemas, messages. */
const NO_HOLDERS: ReadonlySet<string> = new Set([
  'metadata',
  'response_format',
  'logit_bias',
  'tool_choice',
  'function_call',
  'prediction',
  'audio',
  'guided_json',
  'json_schema',
  'structured_outputs',
  'chat_template_kwargs',
]);
const DEEPEST = 3;

export interface AskedNumbers {
  /** The largest number of answers, in any field; 1 if there is none. */
  readonly answers: number;
  /** The largest token limit of an answer in another format's field; 0 if there is none. */
  readonly tokens: number;
}

/** Reads them from a whole body. Throws `invalid_request` for more than one call may have. */
export const askedNumbers = (body: Fields): AskedNumbers => {
  const most = { answers: 1, tokens: 0 };
  look(body, 1, most);
  return most;
};

const wordOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Whether a field of this name limits the length of an answer. */
export const isLengthWord = (name: string): boolean => LENGTH_WORDS.has(wordOf(name));

/** Whether an object of this name is searched for such fields. */
export const mayHoldNumbers = (name: string, depth: number): boolean =>
  depth <= DEEPEST && !NO_HOLDERS.has(name);

const look = (fields: Fields, depth: number, most: { answers: number; tokens: number }): void => {
  for (const [name, value] of Object.entries(fields)) {
    if (isFields(value)) {
      if (mayHoldNumbers(name, depth)) look(value, depth + 1, most);
      continue;
    }
    const count = typeof value === 'string' ? Number(value) : value;
    if (typeof count !== 'number' || !Number.isInteger(count) || count <= 0) continue;
    const word = wordOf(name);
    if (ANSWER_WORDS.has(word))
      most.answers = Math.max(most.answers, parseField(choiceCount, name, count) ?? 1);
    else if (LENGTH_WORDS.has(word))
      most.tokens = Math.max(most.tokens, parseField(tokenCount, name, count) ?? 1);
  }
};
