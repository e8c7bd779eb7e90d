import type { OptionValues } from '#contract/options.ts';
import { withoutEnd } from '#contract/without-end.ts';

const MOST_PLACES = 6;

/** Quota as the site displays it: in dollars or in units. */
export const shownQuota = (
  units: number,
  { DisplayInCurrencyEnabled, QuotaPerUnit }: Pick<OptionValues, 'DisplayInCurrencyEnabled' | 'QuotaPerUnit'>,
): string => {
  if (!DisplayInCurrencyEnabled) return `${units.toLocaleString('en-US')} units`;
  const [whole, places = ''] = (units / QuotaPerUnit).toFixed(MOST_PLACES).split('.');
  return `$${Number(whole).toLocaleString('en-US')}.${withoutEnd(places, '0').padEnd(2, '0')}`;
};
