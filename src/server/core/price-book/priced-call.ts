import { isPaidTool, type PaidTool } from '#contract/options/tool-prices.ts';
import type { Usage } from '../chat/usage.ts';
import { priceBuckets, type AskedMedia } from '../quota/price-factors.ts';
import type { Service } from '../quota/served-terms.ts';
import type { Price } from '../quota/price.ts';
import type { ServiceTerms } from '../quota/service-terms.ts';
import { priceEntries } from '../quota/tool-prices.ts';

/*
 * Everything a call was charged by, besides its model, group and moment, as one short text in a column of its log row.
 * It lets previews charge millions of rows by other prices within seconds. The part that is the same for most rows
 * comes last.
 */

/** The part that many calls share. */
export interface PricedKind {
  readonly userGroup: string;
  /** How many times the price per call was charged. */
  readonly times: number;
  /** The model had no price: the call was charged at the price of self-use mode, which its payer accepts. */
  readonly isSelfUse: boolean;
  /** The requested media terms, if the price depended on them. */
  readonly media?: AskedMedia | undefined;
  readonly service: Service;
}

export interface PricedCall extends PricedKind {
  readonly usage: Usage;
}

const TERMS = ['tier', 'speed', 'place'] as const;

/** Omits trailing empty terms. */
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

/** The buckets in their order, without trailing empty ones. */
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

/** Such as `m8/720p+hd`. */
const mediaText = ({ seconds, words }: AskedMedia): string => `m${String(seconds ?? '')}/${words.join('+')}`;

const mediaFrom = (flags: string): Pick<PricedKind, 'media'> => {
  const [, seconds, words = ''] = /^s?m([\d.]*)\/(.*)$/.exec(flags) ?? [];
  if (seconds === undefined) return {};
  const asked = { words: words === '' ? [] : words.split('+') };
  return { media: seconds === '' ? asked : { seconds: Number(seconds), ...asked } };
};

/** Texts that encoding would not change. */
const PLAIN = /^[\w.-]*$/;

/**
 * Writes `buckets TAB tools TAB kind`. It runs for every call, so it builds no lists for what has at most one entry.
 */
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

/** Parses the last part; undefined if it is invalid. */
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

/** The usage that the buckets, in their order, and the text of the tool calls stand for. */
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
    imageCacheReadTokens: at(10),
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

/** Collects what a call is charged by. */
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
