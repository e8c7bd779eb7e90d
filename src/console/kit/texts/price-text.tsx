import './price-text.css';
import { formatExactPrice, formatPrice } from '../../lib/text/format.ts';

/** The number of decimals that price columns have room for. */
const PLACES = 4;

/** A rounded price, with all digits on hover. In a column the decimal points are aligned. */
export const PriceText = ({ usd }: { readonly usd: number }) => {
  const [shown, exact] = [formatPrice(usd), formatExactPrice(usd)];
  const point = shown.indexOf('.');
  const decimals = point === -1 ? PLACES : shown.length - 1 - point;
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
