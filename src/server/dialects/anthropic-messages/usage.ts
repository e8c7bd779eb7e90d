import { completionTokens, noUsage, type Usage } from '#core/chat/usage.ts';
import type { CountName } from '#core/quota/merge-reports.ts';
import { fieldsOf, otherFields, type Fields } from '../openai/fields.ts';

/** More than any call can use: a count above it is a fault of the upstream, not a bill. */
const MAX_TOKENS = 100_000_000;

const KNOWN = new Set([
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
]);

/**
 * Usage as this format reports it: its input already leaves out what came from or went into a cache, so the buckets are
 * read as they stand. Counts that cannot be true, and counts that are all 0, make it undefined.
 */
export const readUsage = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  const input = usage['input_tokens'] ?? 0;
  const output = usage['output_tokens'] ?? 0;
  if (!isCount(input) || !isCount(output)) return undefined;
  const written = count(usage['cache_creation_input_tokens']);
  const byAge = fieldsOf(usage['cache_creation']);
  const cacheWrite1hTokens = count(byAge['ephemeral_1h_input_tokens']);
  const cacheWrite5mTokens = Math.max(
    count(byAge['ephemeral_5m_input_tokens']),
    written - cacheWrite1hTokens,
  );
  const cacheReadTokens = count(usage['cache_read_input_tokens']);
  if (input + output + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens === 0) return undefined;
  const thought = count(fieldsOf(usage['output_tokens_details'])['thinking_tokens']);
  return {
    ...noUsage,
    inputTokens: input,
    cacheReadTokens,
    cacheWrite5mTokens,
    cacheWrite1hTokens,
    outputTokens: output,
    reasoningTokens: Math.min(thought, output),
  };
};

/** Which counts a report leaves to those before it: the last one of a stream may tell the answer alone. */
export const lacksIn = (value: unknown): readonly CountName[] => {
  const usage = fieldsOf(value);
  const isTold = (...names: readonly string[]): boolean =>
    names.some((name) => (usage[name] ?? null) !== null);
  return [
    ...(isTold('input_tokens') ? [] : (['inputTokens'] as const)),
    ...(isTold('cache_read_input_tokens') ? [] : (['cacheReadTokens'] as const)),
    ...(isTold('cache_creation_input_tokens', 'cache_creation') ? [] : (['cacheWrite5mTokens'] as const)),
    ...(isTold('cache_creation') ? [] : (['cacheWrite1hTokens'] as const)),
    ...(isTold('output_tokens') ? [] : (['outputTokens', 'reasoningTokens'] as const)),
  ];
};

/** What a usage object says besides its counts: the tier, the searches, the steps. */
export const readUsageExtras = (value: unknown): Fields | undefined => otherFields(fieldsOf(value), KNOWN);

/** Usage in the words of this format, which knows no images and no sound of their own: they are input and output. */
export const writeUsage = (usage: Usage): Record<string, unknown> => ({
  input_tokens: usage.inputTokens + usage.imageInputTokens + usage.audioInputTokens,
  cache_creation_input_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWrite5mTokens,
    ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
  },
  output_tokens: completionTokens(usage),
  ...(usage.reasoningTokens > 0 && {
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
  }),
});

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS;

const count = (value: unknown): number => (isCount(value) ? value : 0);
