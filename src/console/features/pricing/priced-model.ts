import type { readPricing } from '#contract/api/wallet/pricing.ts';
import type { Data } from '#contract/endpoint.ts';
import { vendorOf } from '../../lib/text/vendors.ts';

export type PricedModel = Data<typeof readPricing>[number];
export type GroupPrice = PricedModel['prices'][string];

/** The kind of a model, guessed from its name, because the price list has no kinds. */
export const kinds = [
  'chat',
  'embedding',
  'image',
  'speech',
  'transcription',
  'rerank',
  'video',
  'music',
] as const;
export type Kind = (typeof kinds)[number];

const patterns: readonly (readonly [Exclude<Kind, 'chat'>, RegExp])[] = [
  ['embedding', /embed|^bge-(?!rerank)|^(m3e|gte)-/],
  ['rerank', /rerank/],
  ['transcription', /whisper|transcribe|^(asr|paraformer|sensevoice)/],
  ['speech', /tts|speech|cosyvoice/],
  ['video', /^(veo|sora|kling|wan\d?[.-].*(t2v|i2v)|cogvideo|hailuo|vidu|runway)|video/],
  ['music', /^(suno|chirp|udio)/],
  ['image', /dall-e|image|imagen|flux|stable-?diffusion|^(mj_|midjourney|swap_face|seedream|cogview|wanx)/],
];

/** The kind of a model; a name after a slash counts (`openai/gpt-4o`). */
export const kindOf = (model: string): Kind => {
  const bare = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return patterns.find(([, pattern]) => pattern.test(bare))?.[0] ?? 'chat';
};

/** Traits to filter models by: cheaper cache reads, long context, service tiers. */
export const traits = ['cache', 'long', 'tiers'] as const;
export type Trait = (typeof traits)[number];

const LONG_CONTEXT_TOKENS = 200_000;

const has: { readonly [Name in Trait]: (model: PricedModel) => boolean } = {
  cache: ({ quota_type, cache_ratio }) => quota_type === 0 && cache_ratio !== 1,
  long: ({ context_window }) => context_window >= LONG_CONTEXT_TOKENS,
  tiers: ({ variants }) => variants.some(({ kind }) => kind === 'tier'),
};

/** The kind and traits that a model can be filtered by. */
export const abilitiesOf = (model: PricedModel): readonly (Kind | Trait)[] => [
  kindOf(model.model_name),
  ...traits.filter((name) => has[name](model)),
];

export const sortKeys = ['model', 'input', 'output', 'cached', 'context'] as const;
export type SortKey = (typeof sortKeys)[number];

/** The list's filters from the address; empty means no filter. */
export interface PriceSearch {
  readonly group: string;
  readonly words: string;
  readonly vendor: string;
  /** A kind or a trait. */
  readonly ability: string;
  /** A column's name, with `-` before it for the largest first. */
  readonly sort: string;
}

export const priceIn = ({ prices }: PricedModel, group: string): GroupPrice | undefined =>
  Object.hasOwn(prices, group) ? prices[group] : undefined;

/** What a column says of a model in numbers; undefined where it has nothing to say. */
export const valueOf = (model: PricedModel, group: string, key: string): number | undefined => {
  if (key === 'context') return model.context_window || undefined;
  const price = priceIn(model, group);
  if (price === undefined) return undefined;
  if ('call' in price) return key === 'input' ? price.call : undefined;
  if (key === 'cached') return has.cache(model) ? price.cached : undefined;
  return key === 'input' ? price.prompt : price.completion;
};

/** The filtered and sorted models of the group; those without the sorted value come last. */
export const found = (models: readonly PricedModel[], search: PriceSearch): readonly PricedModel[] => {
  const { group, vendor, ability, sort } = search;
  const words = search.words.trim().toLowerCase();
  const matching = models.filter(
    (model) =>
      model.enable_groups.includes(group) &&
      model.model_name.toLowerCase().includes(words) &&
      (vendor === '' || vendorOf(model.model_name).name === vendor) &&
      (ability === '' || abilitiesOf(model).some((name) => name === ability)),
  );
  const key = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  if (!sortKeys.some((known) => known === key)) return matching;
  return matching.toSorted((one, other) => {
    if (key === 'model') return sign * one.model_name.localeCompare(other.model_name);
    const [left, right] = [valueOf(one, group, key), valueOf(other, group, key)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return sign * (left - right);
  });
};
