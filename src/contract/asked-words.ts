/*
 * Names under which requests ask for a number of answers or for their length, as all upstreams spell them.
 */

/** No request has more answers, and no model answers with more tokens: more can only be an attempt to break a sum. */
export const MOST_ANSWERS = 128;
export const MOST_TOKENS = 10_000_000;

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

/** Folds the name of a field as lenient readers do: without case, digits and separators. */
export const foldedName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Whether a field of this name is a number of answers. */
export const isAnswerWord = (name: string): boolean => ANSWER_WORDS.has(foldedName(name));

/** Whether a field of this name limits the length of an answer. */
export const isLengthWord = (name: string): boolean => LENGTH_WORDS.has(foldedName(name));

/** The word, folded, where a field of this name is a number of answers or limits their length; else undefined. */
export const numberWordOf = (name: string): string | undefined => {
  const word = foldedName(name);
  return ANSWER_WORDS.has(word) || LENGTH_WORDS.has(word) ? word : undefined;
};

/** Whether an object of this name is searched for such fields. */
export const mayHoldNumbers = (name: string, depth: number): boolean =>
  depth <= DEEPEST && !NO_HOLDERS.has(name);
