import { isPaidTool, type PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '../chat/usage.ts';
import { priceBuckets, type AskedMedia } from '../quota/price-factors.ts';
import type { Service } from '../quota/served-terms.ts';
import type { Price } from '../quota/price.ts';
import type { ServiceTerms } from '../quota/service-terms.ts';
import { priceEntries } from '../quota/tool-prices.ts';

/*
 * What a call was charged by, beside its model, group and moment, as one short text in a column of its row: so that rows can
 * be charged again by other prices, millions in seconds. The part that few rows differ in comes last.
 */

/** What is alike in many calls. */
export interface PricedKind {
  readonly userGroup: string;
  /** How many times a price per call was paid. */
  readonly times: number;
  /** It was charged at the price for models without one, which its payer accepts. */
  readonly isSelfUse: boolean;
  /** What was asked for, where the price depended on it. */
  readonly media?: AskedMedia | undefined;
  readonly service: Service;
}

export interface PricedCall extends PricedKind {
  readonly usage: Usage;
}

const TERMS = ['tier', 'speed', 'place'] as const;

/** Up to the last one that is said. */
const termsText = ({ tier = '', speed = '', place = '' }: ServiceTerms = {}): string => {
  if (place !== '') return `${tier}/${speed}/${place}`;
  return speed === '' ? tier : `${tier}/${speed}`;
};

const termsFrom = (text: string): ServiceTerms | undefined => {
  const words = text.split('/');
  const terms = TERMS.flatMap((name, at) => {
    const word = words[at] ?? '';
    return word === '' ? [] : [[name, word] as const];
  });
  return terms.length === 0 ? undefined : (Object.fromEntries(terms) as ServiceTerms);
};

/** The buckets in their order, up to the last that is not empty. */
const bucketsText = (usage: Usage): string => {
  let text = '';
  let commas = '';
  for (const bucket of priceBuckets) {
    if (usage[bucket] !== 0) {
      text += `${commas}${String(usage[bucket])}`;
      commas = '';
    }
    commas += ',';
  }
  return text;
};

/** `m8/720p+hd`. */
const mediaText = ({ seconds, words }: AskedMedia): string => `m${String(seconds ?? '')}/${words.join('+')}`;

const mediaFrom = (flags: string): Pick<PricedKind, 'media'> => {
  const [, seconds, words = ''] = /^s?m([\d.]*)\/(.*)$/.exec(flags) ?? [];
  if (seconds === undefined) return {};
  const asked = { words: words === '' ? [] : words.split('+') };
  return { media: seconds === '' ? asked : { seconds: Number(seconds), ...asked } };
};

/** Encoded, it would look the same. */
const PLAIN = /^[\w.-]*$/;

/** `buckets TAB tools TAB kind`. Every call passes here: no lists are made of what has one entry or none. */
export const pricedText = ({ usage, userGroup, times, isSelfUse, media, service }: PricedCall): string => {
  const tools =
    usage.toolCalls === undefined
      ? ''
      : priceEntries(usage.toolCalls)
          .map(([tool, calls]) => `${tool}:${String(calls)}`)
          .join(',');
  const terms = `${termsText(service.sent)}|${termsText(service.served)}`;
  const group = PLAIN.test(userGroup) ? userGroup : encodeURIComponent(userGroup);
  const flags = `${isSelfUse ? 's' : ''}${media === undefined ? '' : mediaText(media)}`;
  const kind = `${terms}|${String(times)}|${flags}|${group}`;
  return `${bucketsText(usage)}\t${tools}\t${kind}`;
};

/** Reads the last part; undefined if it is none. */
export const readKind = (text: string): PricedKind | undefined => {
  const [sent = '', served = '', times = '', flags = '', userGroup] = text.split('|');
  const count = Number(times);
  if (userGroup === undefined || !Number.isFinite(count)) return undefined;
  return {
    userGroup: decodeURIComponent(userGroup),
    times: count,
    isSelfUse: flags.startsWith('s'),
    ...mediaFrom(flags),
    service: { sent: termsFrom(sent), served: termsFrom(served) },
  };
};

/** What the buckets in their order, and the text of the tools, say. */
export const usageOf = (counts: readonly number[], tools: string): Usage => {
  const at = (index: number): number => counts[index] ?? 0;
  const usage = {
    inputTokens: at(0),
    cacheReadTokens: at(1),
    cacheWrite5mTokens: at(2),
    cacheWrite1hTokens: at(3),
    imageInputTokens: at(4),
    audioInputTokens: at(5),
    outputTokens: at(6),
    audioOutputTokens: at(7),
    imageOutputTokens: at(8),
    audioCacheReadTokens: at(9),
    reasoningTokens: 0,
    estimated: false,
  };
  return tools === '' ? usage : { ...usage, toolCalls: readTools(tools) };
};

const readTools = (text: string): Partial<Record<PaidTool, number>> => {
  const calls: Partial<Record<PaidTool, number>> = {};
  for (const each of text.split(',')) {
    const at = each.lastIndexOf(':');
    const tool = each.slice(0, at);
    if (isPaidTool(tool)) calls[tool] = Number(each.slice(at + 1));
  }
  return calls;
};

/** What a call is charged by. */
export const pricedOf = (
  { factors }: Pick<Price, 'factors'>,
  { usage, userGroup, times, service }: Omit<PricedCall, 'isSelfUse' | 'media'>,
): string =>
  pricedText({
    usage,
    userGroup,
    times: factors.times ?? times,
    isSelfUse: factors.source === 'self-use',
    media: factors.media?.asked,
    service,
  });
