import type { PaidTool } from '#contract/options/tool-prices.ts';

/** How often an upstream has run its own tools; those it has not run are left out. */
export type ToolCalls = Readonly<Partial<Record<PaidTool, number>>>;

/**
 * What one call used, in buckets that do not overlap, so that a price is a plain sum.
 * Every dialect translates its provider's counts into this at its edge; nothing after it subtracts.
 * Only `reasoningTokens` is a part of another bucket (`outputTokens`), kept for display.
 */
export interface Usage {
  /** Prompt text that was neither read from nor written to a cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly imageInputTokens: number;
  readonly audioInputTokens: number;
  /** Text out, reasoning included. */
  readonly outputTokens: number;
  readonly audioOutputTokens: number;
  readonly imageOutputTokens: number;
  readonly reasoningTokens: number;
  /** Paid beside the tokens; absent where there were none. */
  readonly toolCalls?: ToolCalls;
  /** True when the upstream reported nothing and we counted. */
  readonly estimated: boolean;
}

export const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
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

/** Everything that went in, as the one number the family's logs show. */
export const promptTokens = (usage: Usage): number =>
  usage.inputTokens +
  usage.cacheReadTokens +
  usage.cacheWrite5mTokens +
  usage.cacheWrite1hTokens +
  usage.imageInputTokens +
  usage.audioInputTokens;

/** Everything that came out, as the one number the family's logs show. */
export const completionTokens = (usage: Usage): number =>
  usage.outputTokens + usage.audioOutputTokens + usage.imageOutputTokens;
