import type { Fields } from '#contract/json-text.ts';
import { isPaidTool, type PaidTool } from '#contract/options/tool-prices.ts';
import type { Translate } from '../../../../lib/text/i18n.ts';
import { allowanceFields, type AllowanceRow, readAllowances } from './allowance-rows.ts';
import { objectOf, settingOf, withPart } from '../setting-fields.ts';

/** In the form the costs have a section of their own; stored, they are `cost` in the JSON of the settings. */

/** The cost of one model: per million tokens, or per call. */
export interface CostRow {
  readonly model: string;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly call: number | undefined;
  /** Further prices, and what they depend on, as they are stored. */
  readonly others: Fields;
}

/** Prices of tokens that few models have. */
export const FURTHER_PRICES = [
  'cache_write',
  'cache_write_1h',
  'audio_cache_read',
  'image_cache_read',
  'audio_input',
  'audio_output',
  'image_input',
  'image_output',
] as const;

export interface ToolRow {
  readonly tool: PaidTool;
  readonly price: number | undefined;
}

export interface CostDraft {
  readonly currency: string;
  /** The price paid per dollar of the list price. */
  readonly factor: number | undefined;
  readonly rows: readonly CostRow[];
  /** For a thousand calls of tools that the upstream runs. */
  readonly tools: readonly ToolRow[];
  /** What costs nothing, up to an amount a day. */
  readonly allowances: readonly AllowanceRow[];
}

export const emptyRow: CostRow = {
  model: '',
  input: undefined,
  output: undefined,
  cacheRead: undefined,
  call: undefined,
  others: {},
};

/** An amount as the form writes it. */
export const amountText = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 6 });

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** A model's cost as the settings and the server have it. */
export const costRow = (model: string, cost: unknown): CostRow => {
  const { input, output, cache_read, call, ...others } = objectOf(cost) ?? {};
  return {
    model,
    input: numberOf(input),
    output: numberOf(output),
    cacheRead: numberOf(cache_read),
    call: numberOf(call),
    others,
  };
};

/** Undefined if the settings are invalid JSON, which has to be corrected first. */
export const readCost = (setting: string): CostDraft | undefined => {
  const fields = settingOf(setting);
  if (fields === undefined) return undefined;
  const cost = objectOf(fields['cost']) ?? {};
  const { currency, factor, models, tools, allowances } = cost;
  const rows = Object.entries(objectOf(models) ?? {}).map(([model, cost]) => costRow(model, cost));
  return {
    currency: typeof currency === 'string' ? currency : '',
    factor: numberOf(factor),
    rows,
    tools: Object.entries(objectOf(tools) ?? {}).flatMap(([tool, price]) =>
      isPaidTool(tool) ? [{ tool, price: numberOf(price) }] : [],
    ),
    allowances: readAllowances(allowances),
  };
};

/** The costs in these settings as text; undefined if the settings are invalid JSON. */
export const costText = (setting: string): string | undefined => {
  const fields = settingOf(setting);
  return fields && JSON.stringify(fields['cost'] ?? {});
};

const given = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value });

export const modelCost = ({ input, output, cacheRead, call, others }: CostRow): Fields => {
  if (call !== undefined) return { call, ...given('dimensions', others['dimensions']) };
  // Seconds and resolutions are those of a price per call.
  const { media: _, ...dimensions } = objectOf(others['dimensions']) ?? {};
  return {
    ...given('input', input),
    ...given('output', output),
    ...given('cache_read', cacheRead),
    ...others,
    ...('dimensions' in others && { dimensions }),
  };
};

/** Whether an earlier row has the same model. */
export const isTwice = (rows: readonly CostRow[], at: number): boolean => {
  const model = rows[at]?.model.trim();
  return model !== '' && rows.findIndex((row) => row.model.trim() === model) !== at;
};

/**
 * The settings with these costs; rows without a model are left out. A model that is there already is written without its name,
 * which is refused: one of the two would be lost unseen.
 */
export const withCost = (setting: string, draft: CostDraft): string => {
  const { currency, factor, rows, tools, allowances } = draft;
  const priced = tools.filter(({ price }) => price !== undefined);
  const named = rows.filter(({ model }) => model.trim() !== '');
  return withPart(setting, 'cost', {
    ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
    ...given('factor', factor),
    ...(named.length > 0 && {
      models: Object.fromEntries(
        named.map((row, at) => [isTwice(named, at) ? '' : row.model.trim(), modelCost(row)]),
      ),
    }),
    ...(priced.length > 0 && { tools: Object.fromEntries(priced.map(({ tool, price }) => [tool, price])) }),
    ...allowanceFields(allowances),
  });
};

/** The further prices of a model in words, and whether its prices depend on more than tokens; empty if there are none. */
export const furtherText = ({ others }: CostRow, t: Translate<'channel-more'>): string => {
  const priced = FURTHER_PRICES.flatMap((name) => {
    const amount = numberOf(others[name]);
    return amount === undefined ? [] : [`${t(`cost.price.${name}`)} ${amountText(amount)}`];
  });
  return [...priced, ...('dimensions' in others ? [t('cost.conditional')] : [])].join(' · ');
};

const MILLION = 1_000_000;
/** The worked example: a call of an agent. */
const exampleTokens = { input: 100_000, output: 2000 } as const;

/** The cost of the example in the currency; undefined while a price is missing. */
export const exampleCost = ({ input, output, call }: CostRow): number | undefined => {
  if (call !== undefined) return call;
  if (input === undefined || output === undefined) return undefined;
  return (exampleTokens.input * input + exampleTokens.output * output) / MILLION;
};
