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
export const readUsage = (value: unknown): Usage | undefined =>
  besideIn(value).reduce<Usage | undefined>(
    (sum, step) => (sum === undefined ? step : changedBy(sum, step, 1)),
    readCounts(value),
  );

/** The steps that the sums do not include. */
const besideIn = (value: unknown): readonly Usage[] =>
  listOf(fieldsOf(value)['iterations'])
    .filter((step) => BESIDE_THE_SUMS.has(fieldsOf(step)['type']))
    .flatMap((step) => readCounts(step) ?? []);

const changedBy = (sum: Usage, step: Usage, sign: 1 | -1): Usage => {
  const of = (name: CountName): number => Math.max(0, sum[name] + sign * step[name]);
  return {
    ...sum,
    inputTokens: of('inputTokens'),
    cacheReadTokens: of('cacheReadTokens'),
    cacheWrite5mTokens: of('cacheWrite5mTokens'),
    cacheWrite1hTokens: of('cacheWrite1hTokens'),
    outputTokens: of('outputTokens'),
    reasoningTokens: of('reasoningTokens'),
  };
};

const readCounts = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  const input = usage['input_tokens'] ?? 0;
  const output = usage['output_tokens'] ?? 0;
  if (!isCount(input) || !isCount(output)) return undefined;
  const written = countOf(usage['cache_creation_input_tokens']);
  const byAge = fieldsOf(usage['cache_creation']);
  // Gateways of the New API family have both counts beside the others.
  const cacheWrite1hTokens =
    countOf(byAge['ephemeral_1h_input_tokens']) || countOf(usage['claude_cache_creation_1_h_tokens']);
  const forMinutes =
    countOf(byAge['ephemeral_5m_input_tokens']) || countOf(usage['claude_cache_creation_5_m_tokens']);
  const cacheWrite5mTokens = Math.max(forMinutes, written - cacheWrite1hTokens);
  const cacheReadTokens = countOf(usage['cache_read_input_tokens']);
  const thought = countOf(fieldsOf(usage['output_tokens_details'])['thinking_tokens']);
  const outputTokens = sumWithParts(output, thought);
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
    ...(cacheWrite5mTokens > 0 && forMinutes + cacheWrite1hTokens === 0 && { writesUndated: true }),
  };
};

/** Counts this report lacks: the last report of a stream may contain only output. */
export const lacksIn = (value: unknown): readonly CountName[] => {
  const usage = fieldsOf(value);
  const isReported = (...names: readonly string[]): boolean =>
    names.some((name) => (usage[name] ?? null) !== null);
  const tellsAges =
    isReported('cache_creation') ||
    countOf(usage['claude_cache_creation_1_h_tokens']) + countOf(usage['claude_cache_creation_5_m_tokens']) >
      0;
  return [
    ...(isReported('input_tokens') ? [] : (['inputTokens'] as const)),
    ...(isReported('cache_read_input_tokens') ? [] : (['cacheReadTokens'] as const)),
    ...(isReported('cache_creation_input_tokens', 'cache_creation') ? [] : (['cacheWrite5mTokens'] as const)),
    ...(tellsAges ? [] : (['cacheWrite1hTokens'] as const)),
    ...(isReported('output_tokens') ? [] : (['outputTokens', 'reasoningTokens'] as const)),
  ];
};

/** Other fields of usage: the service tier, searches, steps. */
export const readUsageExtras = (value: unknown): Fields | undefined => otherFields(fieldsOf(value), KNOWN);

/**
 * Writes usage, and the other fields it had. This format has no counts for pictures and sound: they count as input
 * and output. Steps among the other fields stay outside the sums, as they were read.
 */
export const writeUsage = (all: Usage, extras?: Fields): Record<string, unknown> => {
  const usage = besideIn(extras).reduce((sum, step) => changedBy(sum, step, -1), all);
  return {
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
    ...extras,
  };
};
