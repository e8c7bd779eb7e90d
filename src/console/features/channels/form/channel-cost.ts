import { allowanceFields, type AllowanceRow, readAllowances } from './allowance-rows.ts';
import { type Fields, objectOf, settingOf, withPart } from './setting-fields.ts';

/** In the form the costs have a section of their own; stored, they are `cost` in the JSON of the settings. */

/** The cost of one model: per million tokens, or per call. */
export interface CostRow {
  readonly model: string;
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly call: number | undefined;
  /** Prices that have no field here: writes to a cache, pictures, sound. */
  readonly others: Fields;
}

export interface CostDraft {
  readonly currency: string;
  /** The price paid per dollar of the list price. */
  readonly factor: number | undefined;
  readonly rows: readonly CostRow[];
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

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

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
  const { currency, factor, models, allowances } = cost;
  const rows = Object.entries(objectOf(models) ?? {}).map(([model, cost]) => costRow(model, cost));
  return {
    currency: typeof currency === 'string' ? currency : '',
    factor: numberOf(factor),
    rows,
    allowances: readAllowances(allowances),
  };
};

const given = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value });

export const modelCost = ({ input, output, cacheRead, call, others }: CostRow): Fields =>
  call !== undefined
    ? { call }
    : { ...given('input', input), ...given('output', output), ...given('cache_read', cacheRead), ...others };

/** The settings with these costs; rows without a model are left out. */
export const withCost = (setting: string, { currency, factor, rows, allowances }: CostDraft): string => {
  const named = rows.filter(({ model }) => model.trim() !== '');
  return withPart(setting, 'cost', {
    ...(currency.trim() !== '' && { currency: currency.trim().toUpperCase() }),
    ...given('factor', factor),
    ...(named.length > 0 && {
      models: Object.fromEntries(named.map((row) => [row.model.trim(), modelCost(row)])),
    }),
    ...allowanceFields(allowances),
  });
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
