import { parsed } from '#contract/json-text.ts';
import { fieldsOf } from '#core/json/fields.ts';
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

/** What one model costs elsewhere. */
export type Offered = Readonly<Partial<Record<NumberOption, number>>>;

const MODELS_MAX = 20_000;
const NAME_MAX_LENGTH = 255;
const NUMBER_MAX = 1e9;
/** A longer row of a list is no model. */
const ROW_MAX_BYTES = 64 * 1024;
const PARTS_A_TURN = 500;

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

interface Part {
  readonly name: string | undefined;
  readonly bytes: Buffer;
}

/** What is directly in an object or a list, in turns of the event loop: a list may have many thousands of names. */
async function* partsIn(bytes: Buffer): AsyncGenerator<Part, void> {
  let seen = 0;
  await afterOthers();
  for (const { name, start, end } of jsonParts(bytes)) {
    seen += 1;
    if (seen % PARTS_A_TURN === 0) await afterOthers();
    yield { name, bytes: bytes.subarray(start, end) };
  }
}

const dataIn = async (bytes: Buffer): Promise<Buffer> => {
  for await (const part of partsIn(bytes)) if (part.name === 'data') return part.bytes;
  return bytes;
};

const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= NUMBER_MAX;

const valueOf = ({ bytes }: Part): unknown =>
  bytes.length > ROW_MAX_BYTES ? undefined : parsed(bytes.toString());

/** The prices of a list, by model. */
class PriceList {
  readonly offered = new Map<string, Partial<Record<NumberOption, number>>>();

  note(model: string, option: NumberOption, value: unknown): void {
    if (model === '' || model.length > NAME_MAX_LENGTH || !isPrice(value)) return;
    const known = this.offered.get(model);
    if (known !== undefined) known[option] = value;
    else if (this.offered.size < MODELS_MAX) this.offered.set(model, { [option]: value });
  }

  noteRow(row: unknown): void {
    const fields = fieldsOf(row);
    const model = fields['model_name'];
    if (typeof model !== 'string') return;
    const isByCall = fields['quota_type'] === BY_CALL;
    for (const [name, option] of tables)
      if ((option === 'ModelPrice') === isByCall) this.note(model, option, fields[name]);
  }
}

/** Reads tables of ratios, or a price list; values that are not numbers of 0 or more are ignored. */
export const readPriceList = async (bytes: Buffer): Promise<ReadonlyMap<string, Offered>> => {
  const list = new PriceList();
  for await (const part of partsIn(await dataIn(bytes))) {
    const option = tables.get(part.name ?? '');
    if (part.name === undefined) list.noteRow(valueOf(part));
    else if (option !== undefined)
      for await (const price of partsIn(part.bytes)) list.note(price.name ?? '', option, valueOf(price));
  }
  return list.offered;
};
