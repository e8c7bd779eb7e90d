import './quota-text.css';
import {
  decimalsOf,
  formatMoney,
  formatQuota,
  formatQuotaExact,
  formatQuotaLeft,
} from '../../lib/text/format.ts';

/** In a column that has an `amount`, decimal points stand below each other. `tip` has more digits. */
export const amountOf = (shown: string, tip?: string) => (
  <span className="number nowrap amount" style={{ '--own': decimalsOf(shown) }} data-tip={tip}>
    {shown}
  </span>
);

/** A quota as the site shows it, with every digit on hover. */
export const QuotaText = ({ units }: { readonly units: number }) =>
  amountOf(formatQuota(units), formatQuotaExact(units));

/** Dollars in a column of such. */
export const MoneyText = ({ dollars }: { readonly dollars: number }) => amountOf(formatMoney(dollars));

/** What is left of a total. */
export const QuotaLeft = ({ left, used }: { readonly left: number; readonly used: number }) => {
  const shown = formatQuotaLeft(left, used);
  return (
    <span className="number nowrap quota-left">
      <span>{shown.left}</span> <span className="tone-muted">/ {shown.total}</span>
    </span>
  );
};
