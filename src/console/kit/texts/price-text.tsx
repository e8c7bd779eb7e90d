import { formatExactPrice, formatPrice } from '../../lib/text/format.ts';
import { amountOf } from './quota-text.tsx';

/** A rounded price, with all digits on hover. */
export const PriceText = ({ usd }: { readonly usd: number }) => {
  const [shown, exact] = [formatPrice(usd), formatExactPrice(usd)];
  return amountOf(shown, shown === exact ? undefined : exact);
};
