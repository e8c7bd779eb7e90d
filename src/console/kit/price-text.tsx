import { formatExactPrice, formatPrice } from '../lib/format.ts';

/** A price to be read, with all of its digits where it is pointed at. */
export const PriceText = ({ usd }: { readonly usd: number }) => {
  const [shown, exact] = [formatPrice(usd), formatExactPrice(usd)];
  return shown === exact ? shown : <span data-tip={exact}>{shown}</span>;
};
