import { listToolPrices, type PaidTool, paidTools } from '#contract/options/tool-prices.ts';

type PriceList = Readonly<Record<string, number>>;

/** US dollars for a thousand calls of each tool, for one model. */
export type ToolPrices = Readonly<Partial<Record<PaidTool, number>>>;

/** The entries of a tool table. */
export const priceEntries = <Value>(
  table: Readonly<Partial<Record<PaidTool, Value>>> | undefined,
): (readonly [PaidTool, Value])[] =>
  table === undefined ? NONE : (Object.entries(table) as (readonly [PaidTool, Value])[]);

const NONE: never[] = [];

/**
 * The prices of the upstream's own tools for a model. The operator's price for a tool wins over the list price; among
 * several entries, the longest name that matches the model.
 */
export const toolPricesOf = (configured: PriceList, model: string): ToolPrices =>
  Object.fromEntries(
    paidTools.map((tool) => [
      tool,
      priceIn(configured, tool, model) ?? priceIn(listToolPrices, tool, model) ?? 0,
    ]),
  );

const priceIn = (list: PriceList, tool: PaidTool, model: string): number | undefined => {
  let found = Object.hasOwn(list, tool) ? list[tool] : undefined;
  let length = -1;
  for (const [key, usd] of Object.entries(list)) {
    if (!key.startsWith(`${tool}:`)) continue;
    const wanted = key.slice(tool.length + 1);
    if (wanted.length <= length || !fits(wanted, model)) continue;
    found = usd;
    length = wanted.length;
  }
  return found;
};

/** Also matches the name without the maker's prefix, which gateways add. */
const fits = (wanted: string, model: string): boolean =>
  isNamed(wanted, model) || isNamed(wanted, model.slice(model.lastIndexOf('/') + 1));

const isNamed = (wanted: string, model: string): boolean =>
  wanted.endsWith('*') ? model.startsWith(wanted.slice(0, -1)) : model === wanted;
