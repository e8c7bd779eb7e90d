import { unitsToDollar } from '#contract/api/wallet/pricing.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { dollarsOfRatio, ratioAt } from '#contract/model-dollars.ts';
import { parsed } from '#contract/json-text.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { hasFurtherPrices } from '#core/quota/further-prices.ts';
import { jsonParts } from '#core/json/members.ts';
import { afterOthers } from '#core/time/after-others.ts';

/** The options of prices that are a number. */
export const numberOptions = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
] as const;
export type NumberOption = (typeof numberOptions)[number];

type Prices = Partial<Record<NumberOption, number>>;

/** What one model costs elsewhere. */
export interface Offered extends Readonly<Prices> {
  /** It also has prices that cannot be taken over: of long prompts, sound or pictures. */
  readonly isPartial?: true;
  /** One of its prices is not a number of 0 or more. Without that one, the others would make a different price. */
  readonly isBroken?: true;
}

const MODELS_MAX = 20_000;
const NAME_MAX_LENGTH = 255;
const NUMBER_MAX = 1e9;
/** A longer row of a list is no model. */
const ROW_MAX_BYTES = 64 * 1024;
/** The bytes read in one turn of the event loop, and what each part counts in addition to its bytes. */
const BYTES_A_TURN = 50_000;
const BYTES_OF_A_PART = 100;

/** How other gateways of this family name the tables, and the fields of their price lists. */
const TABLES = {
  model_price: 'ModelPrice',
  model_ratio: 'ModelRatio',
  completion_ratio: 'CompletionRatio',
  cache_ratio: 'CacheRatio',
  create_cache_ratio: 'CreateCacheRatio',
} as const satisfies Readonly<Record<string, NumberOption>>;
const tables = new Map<string, NumberOption>(Object.entries(TABLES));
const BY_CALL = 1;
/** The field of a list or row that names its currency. Lists without it are in dollars. */
const CURRENCY = 'currency';

/** The field of a list with the units that are a dollar there; its ratios are units for a token. */
const UNITS = 'quota_per_unit';

/**
 * LiteLLM's list has dollars per token, by model (docs.litellm.ai, "Model prices"). These makers prefix the names of
 * their own models; any other prefix is a host that resells at its own prices.
 */
const MAKERS =
  /^(?:gemini|deepseek|xai|mistral|moonshot|zai|dashscope|minimax|perplexity|cohere|volcengine|meta)\/(?=[^/]+$)/;
const BY_TOKENS = /^(?:chat|completion|responses|embedding)$/;
const MILLION = 1_000_000;
/** The decimal places of a quotient: more than any price has, but without binary rounding noise. */
const PLACES = 9;

interface Part {
  readonly name: string | undefined;
  readonly bytes: Buffer;
}

/**
 * The members of an object or the items of a list, read over several turns of the event loop, because a list may have
 * many thousands.
 */
async function* partsIn(bytes: Buffer): AsyncGenerator<Part, void> {
  let seen = 0;
  await afterOthers();
  for (const { name, start, end } of jsonParts(bytes)) {
    seen += BYTES_OF_A_PART + end - start;
    if (seen > BYTES_A_TURN) {
      seen = 0;
      await afterOthers();
    }
    yield { name, bytes: bytes.subarray(start, end) };
  }
}

/**
 * The part of a list that has the prices, and the units to the dollar that it tells. Throws if the list says that its
 * prices are not in US dollars.
 */
const dataIn = async (
  bytes: Buffer,
): Promise<{ readonly data: Buffer; readonly told: number | undefined }> => {
  let data = bytes;
  let told: number | undefined;
  for await (const part of partsIn(bytes)) {
    if (part.name === 'data') data = part.bytes;
    if (part.name === UNITS) told = unitsToDollar.safeParse(valueOf(part)).data;
    if (part.name !== CURRENCY || inDollars(valueOf(part))) continue;
    throw new Error('its prices are not in USD');
  }
  return { data, told };
};

const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= NUMBER_MAX;

/** Whether a field has a value that is not a price. */
const isNoPrice = (value: unknown): boolean => value !== undefined && value !== null && !isPrice(value);

const inDollars = (currency: unknown): boolean =>
  currency === undefined ||
  currency === null ||
  (typeof currency === 'string' && ['', '$', 'usd'].includes(currency.toLowerCase()));

const valueOf = ({ bytes }: Part): unknown =>
  bytes.length > ROW_MAX_BYTES ? undefined : parsed(bytes.toString());

const quotient = (value: number, by: number): number => Number((value / by).toFixed(PLACES));

/** A row of LiteLLM's list as ratios of this site; undefined if it is not a price, or not one by tokens. */
const offeredIn = (row: unknown, quotaPerUnit: number): Offered | undefined => {
  const fields = fieldsOf(row);
  const { input_cost_per_token: input, output_cost_per_token: output, mode } = fields;
  if (!inDollars(fields[CURRENCY])) return undefined;
  if (!isPrice(input) || !BY_TOKENS.test(String(mode))) return undefined;
  const prices: Prices = { ModelRatio: quotient(input * MILLION, dollarsOfRatio(quotaPerUnit)) };
  if (input > 0) {
    const shares = [
      ['CompletionRatio', mode === 'embedding' ? undefined : output],
      ['CacheRatio', fields['cache_read_input_token_cost']],
      ['CreateCacheRatio', fields['cache_creation_input_token_cost']],
    ] as const;
    for (const [option, cost] of shares) if (isPrice(cost)) prices[option] = quotient(cost, input);
  }
  const lacksOutput = mode !== 'embedding' && !isPrice(output);
  const isPartial =
    lacksOutput ||
    Object.entries(fields).some(
      ([name, cost]) =>
        isPrice(cost) && FURTHER.test(name) && cost !== (name.startsWith('in') ? input : output),
    );
  const isBroken = SHARES.some((name) => isNoPrice(fields[name]));
  return { ...prices, ...(isPartial && { isPartial }), ...(isBroken && { isBroken }) };
};

/** Fields with prices that are shares of the input's. */
const SHARES = [
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
] as const;

/** Fields with further prices: of long prompts, and of content other than text. */
const FURTHER =
  /^(?:input|output)_cost_per_(?:token_above_\d+k_tokens|(?:audio|image|video|reasoning)_token|image|audio_per_second|video_per_second)$/;

/** The prices of a list, by model. */
class PriceList {
  readonly offered = new Map<string, Prices & Offered>();
  readonly #ofMakers = new Map<string, Offered>();
  readonly #broken = new Set<string>();
  readonly #partial = new Set<string>();
  readonly #quotaPerUnit: number;
  readonly #there: number;
  /** It has ratios, and not only dollars. */
  hasRatios = false;

  constructor(quotaPerUnit: number, there: number) {
    this.#quotaPerUnit = quotaPerUnit;
    this.#there = there;
  }

  note(model: string, option: NumberOption, value: unknown): void {
    if (model === '' || model.length > NAME_MAX_LENGTH) return;
    if (isNoPrice(value) && this.#broken.size < MODELS_MAX) this.#broken.add(model);
    if (!isPrice(value)) return;
    const isRatio = option === 'ModelRatio';
    if (isRatio) this.hasRatios = true;
    const price = isRatio ? ratioAt(value, this.#quotaPerUnit, this.#there) : value;
    const known = this.offered.get(model);
    if (known !== undefined) known[option] = price;
    else if (this.offered.size < MODELS_MAX) this.offered.set(model, { [option]: price });
  }

  noteCosts(name: string, row: unknown): void {
    const offered = offeredIn(row, this.#quotaPerUnit);
    if (offered === undefined || name.length > NAME_MAX_LENGTH) return;
    const model = name.replace(MAKERS, '');
    const into = model === name ? this.offered : this.#ofMakers;
    if (into.size < MODELS_MAX) into.set(model, offered);
  }

  /** Returns the prices, including those of names that occur only with a maker's prefix. */
  settle(): ReadonlyMap<string, Offered> {
    for (const model of this.#broken) {
      const known = this.offered.get(model);
      if (known !== undefined) this.offered.set(model, { ...known, isBroken: true });
    }
    for (const model of this.#partial) {
      const known = this.offered.get(model);
      if (known !== undefined) this.offered.set(model, { ...known, isPartial: true });
    }
    return new Map([...this.#ofMakers, ...this.offered]);
  }

  noteRow(row: unknown): void {
    const fields = fieldsOf(row);
    const model = fields['model_name'];
    if (typeof model !== 'string' || !inDollars(fields[CURRENCY])) return;
    const isByCall = fields['quota_type'] === BY_CALL;
    for (const [name, option] of tables)
      if ((option === 'ModelPrice') === isByCall) this.note(model, option, fields[name]);
    if (hasFurtherPrices(fields) && this.#partial.size < MODELS_MAX) this.#partial.add(model);
  }
}

/** A list that was read. */
export interface ReadList {
  readonly offered: ReadonlyMap<string, Offered>;
  /** How many units to the dollar its ratios were taken at, and whether the list tells; undefined if it has no ratios. */
  readonly units: { readonly toDollar: number; readonly isTold: boolean } | undefined;
}

/**
 * Reads tables of ratios, or a price list of this family or of LiteLLM; values that are not numbers of 0 or more are
 * ignored. All becomes ratios of a site where a dollar is so many units.
 *
 * @param there the units to the dollar of a list of ratios that does not tell them
 */
export const readPriceList = async (
  bytes: Buffer,
  quotaPerUnit: number,
  there = QUOTA_PER_UNIT,
): Promise<ReadList> => {
  const { data, told } = await dataIn(bytes);
  const toDollar = told ?? there;
  const list = new PriceList(quotaPerUnit, toDollar);
  for await (const part of partsIn(data)) {
    const option = tables.get(part.name ?? '');
    if (part.name === undefined) list.noteRow(valueOf(part));
    else if (option === undefined) list.noteCosts(part.name, valueOf(part));
    else for await (const price of partsIn(part.bytes)) list.note(price.name ?? '', option, valueOf(price));
  }
  const offered = list.settle();
  return { offered, units: list.hasRatios ? { toDollar, isTold: told !== undefined } : undefined };
};
