import './price-text.css';
import { formatExactPrice, formatPrice } from '../lib/format.ts';

/** Decimals that columns of prices have room for. */
const PLACES = 4;

/** A price to be read, with all of its digits where it is pointed at. In a column its point stands below the others. */
export const PriceText = ({ usd }: { readonly usd: number }) => {
  const [shown, exact] = [formatPrice(usd), formatExactPrice(usd)];
  const decimals = shown.length - 1 - shown.indexOf('.');
  return (
    <span
      className="price-figure"
      style={{ '--spare': Math.max(0, PLACES - decimals) }}
      data-tip={shown === exact ? undefined : exact}
    >
      {shown}
    </span>
  );
};
