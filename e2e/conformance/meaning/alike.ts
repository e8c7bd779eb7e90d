import { type Counts, counts, type Stop } from './meaning.ts';

/** What every format says in some way, read the same in all of them. */

export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const items = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((each) => each !== null && typeof each === 'object') : [];

export const words = (value: unknown): string => (typeof value === 'string' ? value : '');

export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** Arguments as they mean; a tool that takes a text is called with `{"input": text}` everywhere else. */
export const argumentsOf = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value ?? {});
  if (value === '') return '{}';
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return value;
  }
};

export const errorIn = (value: unknown): string | undefined => {
  if (value === undefined || value === null || value === '' || value === false) return undefined;
  return words(fields(value)['message']) || JSON.stringify(value);
};

const STOPS: readonly (readonly [RegExp, Stop])[] = [
  [/^(stop|eos|end|done|complete|finished|stop_sequence)/, 'stop'],
  [/length|max_|window/, 'length'],
  [/tool|function/, 'tool-calls'],
  [/filter|safety|sensitive|recitation/, 'content-filter'],
  [/refusal/, 'refusal'],
];

/** Why an answer stopped, in the words of OpenAI and of those who speak like it. */
export const chatStop = (value: unknown): Stop | undefined => {
  const word = words(value).toLowerCase().replaceAll('-', '_');
  return word === '' ? undefined : (STOPS.find(([pattern]) => pattern.test(word))?.[1] ?? 'other');
};

/** Totals under the names of either of OpenAI's formats. */
export const chatCounts = (value: unknown): Counts | undefined => {
  const usage = fields(value);
  const prompt = count(usage['prompt_tokens'] ?? usage['input_tokens']);
  const completion = count(usage['completion_tokens'] ?? usage['output_tokens']);
  const into = fields(
    usage['prompt_tokens_details'] ?? usage['prompt_token_details'] ?? usage['input_tokens_details'],
  );
  const out = fields(usage['completion_tokens_details'] ?? usage['output_tokens_details']);
  const cached = [
    into['cached_tokens'],
    into['cache_read_input_tokens'],
    usage['prompt_cache_hit_tokens'],
    usage['cache_read_input_tokens'],
    usage['num_cached_tokens'],
    usage['cached_tokens'],
  ].find((each) => each !== undefined && each !== null);
  // Some upstreams count thoughts or sound separately; then the total is larger by that amount.
  const beside = count(usage['total_tokens']) - prompt - completion;
  const heard = count(into['audio_tokens']) === beside && beside > 0 ? beside : 0;
  const thoughts = count(out['reasoning_tokens'] ?? usage['reasoning_tokens']);
  // More thoughts than the whole completion can only stand beside it: the cost Vercel names is that of both.
  const thought = (thoughts === beside && beside > 0) || thoughts > completion ? thoughts : 0;
  return counts(prompt + heard, count(cached), completion + thought);
};
