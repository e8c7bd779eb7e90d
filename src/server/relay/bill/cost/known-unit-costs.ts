import { mapModel } from '#contract/channel/model-mapping.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import { costSourcesOf } from '#core/cost/cost.ts';
import { type UnitCosts, unitCostsOf } from '#core/cost/unit-costs.ts';

/** Prices and costs change with the hour and exchange rates with the day, so a result is used for this long. */
export const SLOT_MS = 300_000;
/** Prompt lengths are rounded up to a multiple of this, so that results are shared. */
const STEP_TOKENS = 16_384;
const MOST_STEPS = 64;
const MOST_KNOWN = 100_000;
/** The costs assumed for a channel without its own if `orList` is set: the list prices. */
const AT_LIST = { factor: 1 };

interface Table {
  readonly slot: number;
  /** Key: model, length and `orList`. Value: costs by channel. */
  readonly found: Map<string, Map<number, UnitCosts | undefined>>;
  size: number;
}

/** Computed costs of each configuration. */
const tables = new WeakMap<Routing, Table>();

interface Asked {
  readonly model: string;
  readonly promptTokens: number;
  readonly atMs: number;
  /** Assume the list price for a channel whose cost is not known; otherwise its cost stays unknown. */
  readonly orList: boolean;
}

/** What channels cost per token for prompts of a length. Each is computed once and then looked up. */
export const knownUnitCosts = (
  routing: Routing,
  { model, promptTokens, atMs, orList }: Asked,
): ((channel: Channel) => UnitCosts | undefined) => {
  const table = tableOf(routing, atMs);
  const step = Math.min(MOST_STEPS, Math.ceil(promptTokens / STEP_TOKENS));
  const key = `${String(step)} ${orList ? 'list' : 'own'} ${model}`;
  let known = table.found.get(key);
  if (known === undefined) table.found.set(key, (known = new Map()));
  const channels = known;
  const sources = costSourcesOf(routing);
  return (channel) => {
    if (channels.has(channel.id)) return channels.get(channel.id);
    const mapped = mapModel(channel.modelMapping, model);
    const asked = { model: 'model' in mapped ? mapped.model : model, promptTokens: step * STEP_TOKENS, atMs };
    const own = unitCostsOf(channel.setting.cost, sources, asked);
    const costs = own ?? (orList ? unitCostsOf(AT_LIST, sources, asked) : undefined);
    channels.set(channel.id, costs);
    table.size += 1;
    return costs;
  };
};

const tableOf = (routing: Routing, atMs: number): Table => {
  const slot = Math.floor(atMs / SLOT_MS);
  const known = tables.get(routing);
  if (known?.slot === slot && known.size < MOST_KNOWN) return known;
  const made = { slot, found: new Map(), size: 0 };
  tables.set(routing, made);
  return made;
};
