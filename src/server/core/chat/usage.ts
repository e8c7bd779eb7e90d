import type { PaidTool } from '#contract/options/tool-prices.ts';

/** How often the upstream ran each of its own tools; those it did not run are absent. */
export type ToolCalls = Readonly<Partial<Record<PaidTool, number>>>;

/**
 * What one call used, in buckets that do not overlap, so that a price is a plain sum. Every dialect converts its
 * provider's counts at its edge; nothing later subtracts. Only `reasoningTokens` is part of another bucket
 * (`outputTokens`), for display, and `audioCacheReadTokens` and `imageCacheReadTokens` (of `cacheReadTokens`), for what they
 * cost more.
 */
export interface Usage {
  /** Prompt text that was neither read from nor written to a cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  /** How many of these are sound. */
  readonly audioCacheReadTokens: number;
  /** How many of them are of pictures. */
  readonly imageCacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  /** Only how much was written is known, and not for how long: all of it is in `cacheWrite5mTokens`. */
  readonly writesUndated?: true;
  readonly imageInputTokens: number;
  readonly audioInputTokens: number;
  /** Text tokens of the answer, reasoning included. */
  readonly outputTokens: number;
  readonly audioOutputTokens: number;
  readonly imageOutputTokens: number;
  readonly reasoningTokens: number;
  /** Paid in addition to tokens; absent if there were none. */
  readonly toolCalls?: ToolCalls;
  /** True if the upstream reported no usage and we counted. */
  readonly estimated: boolean;
}

/** Nothing was used: every bucket is 0. */
export const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  audioCacheReadTokens: 0,
  imageCacheReadTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  imageInputTokens: 0,
  audioInputTokens: 0,
  outputTokens: 0,
  audioOutputTokens: 0,
  imageOutputTokens: 0,
  reasoningTokens: 0,
  estimated: false,
};

/**
 * Adds up a token count and its parts as an upstream reports them: a part that is larger than the total cannot be
 * included in it, so it is added.
 */
export const sumWithParts = (sum: number, ...parts: readonly number[]): number => {
  let all = sum;
  for (const part of parts) if (part > sum) all += part;
  return all;
};

/** All input tokens, as the one number in the logs. */
export const promptTokens = (usage: Usage): number =>
  usage.inputTokens +
  usage.cacheReadTokens +
  usage.cacheWrite5mTokens +
  usage.cacheWrite1hTokens +
  usage.imageInputTokens +
  usage.audioInputTokens;

/** All output tokens, as the one number in the logs. */
export const completionTokens = (usage: Usage): number =>
  usage.outputTokens + usage.audioOutputTokens + usage.imageOutputTokens;

/** More tokens than any call can use: a larger count is an upstream's error. */
const MOST_TOKENS = 100_000_000;

/** Whether an upstream's number can be a count of tokens. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;

/** A count reported by an upstream; 0 if it is not a valid count. */
export const countOf = (value: unknown): number => (isCount(value) ? value : 0);
