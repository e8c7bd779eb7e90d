import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { isTool } from './bucket-names.ts';
import type { PriceStep, Ratios } from './call-facts.ts';

/** Exact decimals as texts: what is shown must add up to the last digit. */

const PLACES = 48;

const scaled = (text: string): bigint => {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? [];
  const amount = BigInt(whole + part.slice(0, PLACES).padEnd(PLACES, '0'));
  return sign === '-' ? -amount : amount;
};

const asText = (amount: bigint): string => {
  const digits = String(amount).padStart(PLACES + 1, '0');
  const part = digits.slice(-PLACES).replace(/0+$/, '');
  const whole = digits.slice(0, -PLACES);
  return part === '' ? whole : `${whole}.${part}`;
};

/** The sum of some decimals, exact. */
export const exactSum = (texts: readonly string[]): string =>
  asText(texts.reduce((sum, text) => sum + scaled(text), 0n));

const ONE = 10n ** BigInt(PLACES);

/** Whole units of a sum: half up, and at least 1 of anything. Source: docs/billing.md. */
export const roundedUnits = (sum: string): number => {
  const amount = scaled(sum);
  if (amount <= 0n) return 0;
  return Math.max(1, Number((amount + ONE / 2n) / ONE));
};

/** An hour in the cache costs 1.6 times what five minutes cost. Source: docs/billing.md. */
const ONE_HOUR_IN_CACHE = 1.6;

export type FactorName =
  | 'modelRatio'
  | 'completionRatio'
  | 'cacheRatio'
  | 'createCacheRatio'
  | 'oneHour'
  | 'imageRatio'
  | 'audioRatio'
  | 'audioCompletionRatio'
  | 'imageCompletionRatio'
  | 'groupRatio'
  | 'userGroupRatio'
  | 'perCall'
  | 'perThousandCalls'
  | 'quotaPerThousandth'
  | 'quotaPerUnit';

export interface Factor {
  readonly name: FactorName;
  readonly value: number;
}

/** The ratios of a bucket beside the model's and the group's own. */
const bucketFactors = (
  bucket: string,
  ratios: Ratios,
): readonly (readonly [FactorName, number | undefined])[] => {
  switch (bucket) {
    case 'cacheReadTokens':
      return [['cacheRatio', ratios.cache]];
    case 'cacheWrite5mTokens':
      return [['createCacheRatio', ratios.createCache]];
    case 'cacheWrite1hTokens':
      return [
        ['createCacheRatio', ratios.createCache],
        ['oneHour', ONE_HOUR_IN_CACHE],
      ];
    case 'imageInputTokens':
      return [['imageRatio', ratios.image]];
    case 'audioInputTokens':
      return [['audioRatio', ratios.audio]];
    case 'audioOutputTokens':
      return [
        ['audioRatio', ratios.audio],
        ['audioCompletionRatio', ratios.audioCompletion],
      ];
    case 'imageOutputTokens':
      return [['imageCompletionRatio', ratios.imageCompletion]];
    case 'outputTokens':
      return [['completionRatio', ratios.completion]];
    default:
      return [];
  }
};

/** What one token of a bucket, or one call of a tool, costs, as the product it is: model × bucket × group. */
export const factorsOf = ({ bucket }: PriceStep, ratios: Ratios): readonly Factor[] => {
  const group: readonly [FactorName, number | undefined] =
    ratios.userGroup === undefined ? ['groupRatio', ratios.group] : ['userGroupRatio', ratios.userGroup];
  const all: readonly (readonly [FactorName, number | undefined])[] =
    bucket === 'call'
      ? [['perCall', ratios.perCall], ['quotaPerUnit', QUOTA_PER_UNIT], group]
      : isTool(bucket)
        ? [['perThousandCalls', ratios.tools[bucket]], ['quotaPerThousandth', QUOTA_PER_UNIT / 1000], group]
        : [['modelRatio', ratios.model], ...bucketFactors(bucket, ratios), group];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
};
