import { QUOTA_PER_UNIT } from './limits.ts';

/** A price by tokens: the ratio of a model, and what its other parts cost as a multiple of its input. */
interface ModelRatios {
  readonly model: number;
  readonly completion: number;
  readonly cache: number;
  readonly create_cache: number;
}

/** Binary fractions leave noise in the last places; no price has twelve digits. */
export const tidy = (value: number): number => Number(value.toPrecision(12));

/** Ratios that never end are stored cut, so nine digits give back what was typed. */
const asTyped = (value: number): number => Number(value.toPrecision(9));

/** US dollars for a million tokens of a model with a ratio of 1. */
export const dollarsOfRatio = (quotaPerUnit: number): number => 1_000_000 / quotaPerUnit;

/** The same where a dollar is as many units as usual. */
export const USD_PER_RATIO = dollarsOfRatio(QUOTA_PER_UNIT);

/** The ratio that takes the same dollars on a site where a dollar is so many units as one does where it is `there` of them. */
export const ratioAt = (ratio: number, quotaPerUnit: number, there = QUOTA_PER_UNIT): number =>
  quotaPerUnit === there ? ratio : tidy((ratio * quotaPerUnit) / there);

/** US dollars for a million tokens of each part, before the ratio of any group. For display and forms; charges are exact. */
export const dollarsOf = (ratios: ModelRatios, perRatio: number) => {
  const input = ratios.model * perRatio;
  return {
    input: tidy(input),
    output: asTyped(input * ratios.completion),
    cacheRead: asTyped(input * ratios.cache),
    cacheWrite: asTyped(input * ratios.create_cache),
  };
};

/** The other way: the ratio of a model whose input costs so many US dollars for a million tokens. */
export const ratioOf = (inputUsd: number, perRatio: number): number => tidy(inputUsd / perRatio);

/** What another part costs, as a multiple of the input of a model with that ratio, which is not 0. */
export const multipleOf = (partUsd: number, modelRatio: number, perRatio: number): number =>
  tidy(partUsd / (modelRatio * perRatio));
