import { type Counts, counts, type Stop } from './meaning.ts';

/** Readers that several formats share. */

export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const items = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.filter((each) => each !== null && typeof each === 'object') : [];

export const words = (value: unknown): string => (typeof value === 'string' ? value : '');

export const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** Arguments in one spelling, so that they can be compared: JSON without spaces, other text unchanged. */
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

/** The stop reason of OpenAI's chat format, as OpenAI and compatible providers spell it. */
export const chatStop = (value: unknown): Stop | undefined => {
  const word = words(value).toLowerCase().replaceAll('-', '_');
  return word === '' ? undefined : (STOPS.find(([pattern]) => pattern.test(word))?.[1] ?? 'other');
};

/** Usage with the field names of either of OpenAI's formats. */
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
  // Some upstreams do not include reasoning or sound in these counts; then the total is larger by that amount.
  const missing = count(usage['total_tokens']) - prompt - completion;
  const sound = count(into['audio_tokens']) === missing && missing > 0 ? missing : 0;
  const thoughts = count(out['reasoning_tokens'] ?? usage['reasoning_tokens']);
  // More reasoning than the whole completion cannot be part of it. The cost that Vercel reports covers both.
  const thought = (thoughts === missing && missing > 0) || thoughts > completion ? thoughts : 0;
  return counts(prompt + sound, count(cached), completion + thought);
};
