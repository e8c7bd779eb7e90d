import { NANO_PER_USD } from '#contract/limits.ts';
import type { Channel } from '#core/channel/channel.ts';
import { mapModel } from '#contract/channel/model-mapping.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { BelowCostRule } from '#contract/options/cost.ts';
import { costSourcesOf } from '#core/cost/cost.ts';
import { isBelowCost } from '#core/cost/below-cost.ts';
import type { Price } from '#core/quota/price.ts';
import { priceAt } from '#core/quota/price-variants.ts';
import type { User } from '#core/user/user.ts';
import type { RelayDeps } from '../../ports.ts';
import { SLOT_MS } from './known-unit-costs.ts';

/** Who pays, and for which model. */
export interface Sale {
  readonly routing: Routing;
  readonly user: Pick<User, 'group'>;
  readonly model: string;
  readonly atMs: number;
  /** The price before its hours are decided; computed at most once for each key and slot. */
  readonly price: (group: string) => Price;
}

interface Table {
  readonly slot: number;
  readonly found: Map<string, 'fine' | 'below' | 'warned'>;
}

/** Results by channel, model and pair of groups, for each configuration. */
const tables = new WeakMap<Routing, Table>();
const REMEMBERED_MAX = 100_000;

const tableOf = (routing: Routing, atMs: number): Table['found'] => {
  const slot = Math.floor(atMs / SLOT_MS);
  let table = tables.get(routing);
  if (table?.slot !== slot) tables.set(routing, (table = { slot, found: new Map() }));
  return table.found;
};

/** The operator's rule for calls that cost more than their group pays. */
const belowCostRule = ({ options }: Pick<Routing, 'options'>, group: string): BelowCostRule => {
  const rules = options['cost_setting.below_cost'];
  return (Object.hasOwn(rules, group) ? rules[group] : undefined) ?? 'mark';
};

const keyOf = ({ id }: Channel, { user, model }: Sale, group: string): string =>
  `${String(id)}\n${model}\n${user.group}\n${group}`;

const found = (sale: Sale, channel: Channel, group: string): 'fine' | 'below' | 'warned' => {
  const { routing, model, atMs } = sale;
  const { cost } = channel.setting;
  if (cost === undefined) return 'fine';
  const table = tableOf(routing, atMs);
  const key = keyOf(channel, sale, group);
  let known = table.get(key);
  if (known === undefined) {
    const mapped = mapModel(channel.modelMapping, model);
    const upstreamModel = 'model' in mapped ? mapped.model : model;
    const price = priceAt(sale.price(group), atMs);
    const isBelow = isBelowCost(price, cost, costSourcesOf(routing), { model: upstreamModel, atMs });
    known = isBelow ? 'below' : 'fine';
    if (table.size < REMEMBERED_MAX) table.set(key, known);
  }
  return known;
};

/** Whether the rule `stop` excludes a channel for a group because it costs more than the group pays. */
export const isPassedOver = (sale: Sale, channel: Channel, group: string): boolean =>
  belowCostRule(sale.routing, group) === 'stop' && found(sale, channel, group) !== 'fine';

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
  if (found(sale, channel, group) !== 'below') return;
  tableOf(sale.routing, sale.atMs).set(keyOf(channel, sale, group), 'warned');
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
