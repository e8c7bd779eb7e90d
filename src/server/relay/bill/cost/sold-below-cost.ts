import { NANO_PER_USD } from '#contract/limits.ts';
import type { Channel } from '#core/channel/channel.ts';
import { mapModel } from '#contract/channel/model-mapping.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { BelowCostRule } from '#contract/options/cost.ts';
import { costSourcesOf } from '#core/cost/cost.ts';
import { isBelowCost, kindOfCall, type Wanted } from '#core/cost/below-cost.ts';
import type { Price } from '#core/quota/price.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import type { User } from '#core/user/user.ts';
import type { RelayDeps } from '../../ports.ts';
import { SLOT_MS } from './known-unit-costs.ts';

/** Who pays, and for which model. */
export interface Sale {
  readonly routing: Routing;
  readonly user: Pick<User, 'group'>;
  readonly model: string;
  readonly atMs: number;
  /** The price before its dimensions are decided; computed once for each configuration. */
  readonly price: (group: string) => Price;
  /** What the call asks of any channel. */
  readonly asked?: Omit<Wanted, 'model' | 'atMs' | 'terms'>;
  /** The tiers, speeds and places that the call may be sent to this channel with. */
  readonly terms?: (channel: Channel) => readonly ServiceTerms[];
}

interface Table {
  readonly slot: number;
  /** Whether each sale is below cost. */
  readonly found: Map<string, boolean>;
  /** Sales that admins were notified of, by channel, model and pair of groups. */
  readonly warned: Set<string>;
}

/** Results by channel, model, pair of groups and kind of call, for each configuration. */
const tables = new WeakMap<Routing, Table>();
const REMEMBERED_MAX = 100_000;

const tableOf = (routing: Routing, atMs: number): Table => {
  const slot = Math.floor(atMs / SLOT_MS);
  let table = tables.get(routing);
  if (table?.slot !== slot) tables.set(routing, (table = { slot, found: new Map(), warned: new Set() }));
  return table;
};

/** The operator's rule for calls that cost more than their group pays. */
const belowCostRule = ({ options }: Pick<Routing, 'options'>, group: string): BelowCostRule => {
  const rules = options['cost_setting.below_cost'];
  return (Object.hasOwn(rules, group) ? rules[group] : undefined) ?? 'mark';
};

const keyOf = ({ id }: Channel, { user, model }: Sale, group: string): string =>
  `${String(id)}\n${model}\n${user.group}\n${group}`;

const isBelow = (sale: Sale, channel: Channel, group: string): boolean => {
  const { routing, model, atMs, asked, terms } = sale;
  const { cost } = channel.setting;
  if (cost === undefined) return false;
  const mapped = mapModel(channel.modelMapping, model);
  const upstreamModel = 'model' in mapped ? mapped.model : model;
  const wanted = { ...asked, model: upstreamModel, atMs, ...(terms && { terms: terms(channel) }) };
  const price = sale.price(group);
  const sources = costSourcesOf(routing);
  const kind = kindOfCall(price, cost, sources, wanted);
  if (kind === undefined) return isBelowCost(price, cost, sources, wanted);
  const { found } = tableOf(routing, atMs);
  const key = `${keyOf(channel, sale, group)}\n${kind}`;
  let known = found.get(key);
  if (known === undefined) {
    known = isBelowCost(price, cost, sources, wanted);
    if (found.size < REMEMBERED_MAX) found.set(key, known);
  }
  return known;
};

/** Whether the rule `stop` excludes a channel for a group because it costs more than the group pays. */
export const isPassedOver = (sale: Sale, channel: Channel, group: string): boolean =>
  belowCostRule(sale.routing, group) === 'stop' && isBelow(sale, channel, group);

/**
 * Reports that a chosen channel costs more than the group pays (rule `warn`): once for each configuration, and again
 * after a while.
 */
export const warnOfLoss = (
  { channels }: Pick<RelayDeps, 'channels'>,
  sale: Sale,
  channel: Channel | undefined,
  group: string,
): void => {
  if (channel === undefined || belowCostRule(sale.routing, group) !== 'warn') return;
  const { warned } = tableOf(sale.routing, sale.atMs);
  const key = keyOf(channel, sale, group);
  if (warned.has(key) || !isBelow(sale, channel, group)) return;
  warned.add(key);
  channels.soldBelowCost(channel.id, sale.model, group);
};

/** Whether the log row of a call is marked because the call cost more than was charged. */
export const isMarkedAsLoss = (
  routing: Routing,
  group: string,
  { costNano, quotaUnits }: { readonly costNano?: number | undefined; readonly quotaUnits: number },
): boolean =>
  costNano !== undefined &&
  costNano > soldNano(routing, { quotaUnits }) &&
  belowCostRule(routing, group) !== 'off';

/** What a charge is worth, in billionths of a US dollar. */
export const soldNano = (
  { options }: Pick<Routing, 'options'>,
  { quotaUnits }: { readonly quotaUnits: number },
): number => (quotaUnits / options.QuotaPerUnit) * NANO_PER_USD;
