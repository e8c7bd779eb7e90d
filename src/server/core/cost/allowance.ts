import type { ChannelCost } from '#contract/channel/channel-cost.ts';
import type { DailyAllowance } from '#contract/channel/daily-allowance.ts';
import { fits, globOf } from '#contract/glob.ts';
import { NANO_PER_USD } from '#contract/limits.ts';
import { completionTokens, promptTokens } from '../chat/usage.ts';
import { localDay } from '../time/local-day.ts';
import type { AllowanceUse } from './allowance-use.ts';
import type { Bought } from './bought.ts';
import { costOf, type CostSources } from './cost.ts';

/** What a call costs the operator. */
export interface CallCost {
  /** By the prices, in billionths of a US dollar; undefined if not known. */
  readonly costNano: number | undefined;
  /** The part of it that may be free. */
  readonly free?: AllowanceUse | undefined;
}

/** The channel that was paid, with the key of its pool. */
interface Paid {
  readonly id: number;
  readonly keyId: number;
  readonly setting: { readonly cost?: ChannelCost | undefined };
}

/**
 * What a use of a channel costs by its prices, and of which allowance it may be free. The day is that of the call's start.
 * @param startedAtMs if the prices are those of another moment
 */
export const costOfUse = (
  paid: Paid,
  sources: CostSources,
  bought: Bought,
  startedAtMs = bought.atMs,
): CallCost => {
  const { cost } = paid.setting;
  const costNano = costOf(cost, sources, bought);
  if (cost?.allowances === undefined) return { costNano };
  const allowance = allowanceFor(cost, bought.model);
  if (allowance === undefined) return { costNano };
  const amount = amountOf(allowance, bought, costNano);
  if (amount === 0) return { costNano };
  const { name, of: unit, by, zone } = allowance;
  const free: AllowanceUse = {
    day: localDay(zone, startedAtMs),
    channelId: by === 'name' ? 0 : paid.id,
    keyId: by === 'key' ? paid.keyId : 0,
    unit,
    name,
    amount,
    limit: limitOf(allowance),
    besideNano: unit === 'tokens' ? costOfTools(cost, sources, bought, costNano) : 0,
  };
  return { costNano, free };
};

/** The size of a daily allowance, in the unit in which its use is counted. */
export const limitOf = ({ of: unit, amount }: DailyAllowance): number =>
  unit === 'dollars' ? Math.round(amount * NANO_PER_USD) : amount;

const amountOf = ({ of: unit }: DailyAllowance, { usage }: Bought, costNano = 0): number => {
  if (unit === 'tokens') return promptTokens(usage) + completionTokens(usage);
  return unit === 'calls' ? 1 : costNano;
};

/** Tokens that are given away do not pay for the tools that the upstream ran. */
const costOfTools = (
  cost: ChannelCost,
  sources: CostSources,
  bought: Bought,
  costNano: number | undefined,
): number | undefined => {
  const { toolCalls, ...usage } = bought.usage;
  if (toolCalls === undefined) return 0;
  const ofTokens = costOf(cost, sources, { ...bought, usage });
  return costNano === undefined || ofTokens === undefined ? undefined : Math.max(0, costNano - ofTokens);
};

/** Found once for each model of a channel: a changed channel gets a new settings object. */
const known = new WeakMap<ChannelCost, Map<string, DailyAllowance | undefined>>();
const REMEMBERED_MAX = 5000;

const allowanceFor = (cost: ChannelCost, model: string): DailyAllowance | undefined => {
  let models = known.get(cost);
  if (models === undefined) known.set(cost, (models = new Map()));
  if (models.has(model)) return models.get(model);
  const found = cost.allowances?.find(({ models: names }) => names.some((name) => fits(globOf(name), model)));
  if (models.size < REMEMBERED_MAX) models.set(model, found);
  return found;
};
