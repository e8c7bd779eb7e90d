import { useQuery } from '@tanstack/react-query';
import { readPricing } from '#contract/api/wallet/pricing.ts';
import { call } from '../../../lib/server/api.ts';
import { contextText } from '../../../lib/text/context-size.ts';
import { formatPrice } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';

/** The price of a model in a group, and its context size. */
export interface ModelNote {
  /** In a few characters, for a list. */
  readonly short: string;
  readonly long: string;
}

/** The notes of the offered models, by model. */
export const useModelNotes = (group: string): ReadonlyMap<string, ModelNote> => {
  const { t } = useTranslation('playground');
  const { data = [] } = useQuery({
    queryKey: ['playground', 'prices'],
    queryFn: ({ signal }) => call(readPricing, {}, signal),
    staleTime: 60_000,
  });
  return new Map(
    data.map(({ model_name: model, context_window: window, prices }) => {
      // In `auto` each call finds its group; the first group with a price represents all.
      const price = prices[group] ?? Object.values(prices)[0];
      const short: string[] = [];
      const long: string[] = [];
      if (price !== undefined && 'call' in price) {
        const each = formatPrice(price.call);
        const said = price.call === 0 ? each : t('price.call', { price: each });
        short.push(said);
        long.push(said);
      } else if (price !== undefined) {
        const [input, output] = [formatPrice(price.prompt), formatPrice(price.completion)];
        short.push(`${input} → ${output}`);
        long.push(t('price.tokens', { input, output }));
      }
      if (window > 0) {
        short.push(contextText(window));
        long.push(t('price.context', { window: contextText(window) }));
      }
      return [model, { short: short.join(' · '), long: long.join(' · ') }];
    }),
  );
};
