import './quota-text.css';
import { formatMoney, formatQuota, formatQuotaExact, formatQuotaLeft } from '../../lib/text/format.ts';

/** For amounts of a column: two decimals take the place of four where one of it has them. */
const placeOf = (amount: string): string =>
  `number nowrap ${/\.\d\d$/.test(amount) ? 'quota-cents' : 'quota-fine'}`;

/** A quota as the site shows it, with every digit on hover. */
export const QuotaText = ({ units }: { readonly units: number }) => {
  const shown = formatQuota(units);
  return (
    <span className={placeOf(shown)} data-tip={formatQuotaExact(units)}>
      {shown}
    </span>
  );
};

/** Dollars in a column of such. */
export const MoneyText = ({ dollars }: { readonly dollars: number }) => {
  const shown = formatMoney(dollars);
  return <span className={placeOf(shown)}>{shown}</span>;
};

/** What is left of a total. */
export const QuotaLeft = ({ left, used }: { readonly left: number; readonly used: number }) => {
  const shown = formatQuotaLeft(left, used);
  return (
    <span className="number nowrap quota-left">
      <span>{shown.left}</span> <span className="tone-muted">/ {shown.total}</span>
    </span>
  );
};
