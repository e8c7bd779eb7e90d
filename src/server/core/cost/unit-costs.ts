import type { ChannelCost } from '#contract/channel/channel-cost.ts';
import { noUsage, type Usage } from '../chat/usage.ts';
import { costOf, type CostSources } from './cost.ts';

/** What a model costs at a channel, in billionths of a US dollar: for comparing channels, not for charging. */
export interface UnitCosts {
  readonly perCall: number;
  /** The cost of one token in each bucket. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** The shortest prompt assumed, so that rounding does not matter. */
const LEAST_TOKENS = 1000;

/**
 * The costs of a call with a prompt of about this many tokens, because context steps count. Undefined if one of them is
 * not known.
 * @param model the upstream's name
 */
export const unitCostsOf = (
  cost: ChannelCost | undefined,
  sources: CostSources,
  {
    model,
    promptTokens,
    atMs,
  }: { readonly model: string; readonly promptTokens: number; readonly atMs: number },
): UnitCosts | undefined => {
  const tokens = Math.max(LEAST_TOKENS, promptTokens);
  const costs = (part: Partial<Usage>): number =>
    costOf(cost, sources, { model, usage: { ...noUsage, ...part }, service: {}, times: 1, atMs }) ?? NaN;
  const perCall = costs({});
  const input = costs({ inputTokens: tokens });
  const each = (part: Partial<Usage>, beside: number): number => (costs(part) - beside) / tokens;
  const found = {
    perCall,
    input: (input - perCall) / tokens,
    cacheRead: each({ cacheReadTokens: tokens }, perCall),
    cacheWrite: each({ cacheWrite5mTokens: tokens }, perCall),
    // The extra cost of an answer beside such a prompt.
    output: each({ inputTokens: tokens, outputTokens: tokens }, input),
  };
  return Object.values(found).some(Number.isNaN) ? undefined : found;
};
