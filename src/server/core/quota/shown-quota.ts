import { numberText } from '#contract/numbers/number-text.ts';
import type { OptionValues } from '#contract/options.ts';

const MOST_PLACES = 6;

/** Quota as the site displays it: in dollars or in units. */
export const shownQuota = (
  units: number,
  { DisplayInCurrencyEnabled, QuotaPerUnit }: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): string =>
  DisplayInCurrencyEnabled
    ? `$${numberText(units / QuotaPerUnit, 2, MOST_PLACES)}`
    : `${numberText(units, 0)} units`;
