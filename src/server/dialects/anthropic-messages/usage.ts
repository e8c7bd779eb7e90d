import { completionTokens, countOf, isCount, noUsage, sumWithParts, type Usage } from '#core/chat/usage.ts';
import type { CountName } from '#core/quota/merge-reports.ts';
import { fieldsOf, listOf, otherFields, type Fields } from '#core/json/fields.ts';

const KNOWN = new Set([
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
]);

/**
 * Steps that are billed and are not in the sums: a summary of what was said so far, and what an advising model used. Source:
 * the format's own client library, November 2026.
 */
const BESIDE_THE_SUMS: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message']);

/**
 * Reads usage, with that of the steps which are not in its sums. Input counts here already exclude cached tokens, so the
 * buckets are read directly. Undefined if the counts are impossible or all 0.
 */
export const readUsage = (value: unknown): Usage | undefined => {
  const { iterations } = fieldsOf(value);
  const sums = readCounts(value);
  const beside = listOf(iterations).filter((step) => BESIDE_THE_SUMS.has(fieldsOf(step)['type']));
  return beside.reduce<Usage | undefined>((sum, step) => added(sum, readCounts(step)), sums);
};

const added = (sum: Usage | undefined, step: Usage | undefined): Usage | undefined => {
  if (sum === undefined || step === undefined) return sum ?? step;
  return {
    ...sum,
    inputTokens: sum.inputTokens + step.inputTokens,
    cacheReadTokens: sum.cacheReadTokens + step.cacheReadTokens,
    cacheWrite5mTokens: sum.cacheWrite5mTokens + step.cacheWrite5mTokens,
    cacheWrite1hTokens: sum.cacheWrite1hTokens + step.cacheWrite1hTokens,
    outputTokens: sum.outputTokens + step.outputTokens,
    reasoningTokens: sum.reasoningTokens + step.reasoningTokens,
  };
};

const readCounts = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  const input = usage['input_tokens'] ?? 0;
  const output = usage['output_tokens'] ?? 0;
  if (!isCount(input) || !isCount(output)) return undefined;
  const written = countOf(usage['cache_creation_input_tokens']);
  const byAge = fieldsOf(usage['cache_creation']);
  const cacheWrite1hTokens = countOf(byAge['ephemeral_1h_input_tokens']);
  const cacheWrite5mTokens = Math.max(
    countOf(byAge['ephemeral_5m_input_tokens']),
    written - cacheWrite1hTokens,
  );
  const cacheReadTokens = countOf(usage['cache_read_input_tokens']);
  const thought = countOf(fieldsOf(usage['output_tokens_details'])['thinking_tokens']);
  const outputTokens = sumWithParts(output, [thought]);
  if (input + outputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens === 0)
    return undefined;
  return {
    ...noUsage,
    inputTokens: input,
    cacheReadTokens,
    cacheWrite5mTokens,
    cacheWrite1hTokens,
    outputTokens,
    reasoningTokens: thought,
  };
};

/** Counts this report lacks: the last report of a stream may contain only output. */
export const lacksIn = (value: unknown): readonly CountName[] => {
  const usage = fieldsOf(value);
  const isReported = (...names: readonly string[]): boolean =>
    names.some((name) => (usage[name] ?? null) !== null);
  return [
    ...(isReported('input_tokens') ? [] : (['inputTokens'] as const)),
    ...(isReported('cache_read_input_tokens') ? [] : (['cacheReadTokens'] as const)),
    ...(isReported('cache_creation_input_tokens', 'cache_creation') ? [] : (['cacheWrite5mTokens'] as const)),
    ...(isReported('cache_creation') ? [] : (['cacheWrite1hTokens'] as const)),
    ...(isReported('output_tokens') ? [] : (['outputTokens', 'reasoningTokens'] as const)),
  ];
};

/** Other fields of usage: the service tier, searches, steps. */
export const readUsageExtras = (value: unknown): Fields | undefined => otherFields(fieldsOf(value), KNOWN);

/** Writes usage. This format has no counts for pictures and sound: they count as input and output. */
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
