import { useEffect, useState } from 'react';
import { readPriceHistory } from '#contract/api/wallet/price-previews.ts';
import type { Data } from '#contract/endpoint.ts';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { call } from '../../lib/server/api.ts';
import { formatExactPrice, formatTime, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

interface PriceHistoryProps {
  readonly model: string;
  /** The group whose prices are shown. */
  readonly group: string;
}

const DAY_LENGTH = 'yyyy-mm-dd'.length;

/** Earlier prices of the model for the group; hidden if the price never changed. */
export const PriceHistory = ({ model, group }: PriceHistoryProps) => {
  const { t } = useTranslation('pricing');
  const [past, setPast] = useState<Data<typeof readPriceHistory>>([]);
  // The page is also for visitors, where the query client is not loaded. If this fails, the rest of the panel is shown.
  useEffect(() => {
    const gone = new AbortController();
    call(readPriceHistory, { query: { model } }, gone.signal)
      .then(setPast)
      .catch(() => undefined);
    return () => gone.abort();
  }, [model]);
  if (past.length < 2) return null;
  return (
    <section>
      <h3>{t('history.title')}</h3>
      <SmallTable
        label={t('history.title')}
        columns={[
          { title: t('history.from') },
          { title: t('column.input'), align: 'end' },
          { title: t('column.output'), align: 'end' },
          { title: t('column.call'), align: 'end' },
        ]}
        rows={past.map(({ from, prices }, at) => {
          const price = prices[group];
          const byTokens = price !== undefined && 'prompt' in price ? price : undefined;
          return {
            id: String(at),
            cells: [
              from === null ? t('history.before') : formatTime(from).slice(0, DAY_LENGTH),
              byTokens === undefined ? MISSING : formatExactPrice(byTokens.prompt),
              byTokens === undefined ? MISSING : formatExactPrice(byTokens.completion),
              price !== undefined && 'call' in price ? formatExactPrice(price.call) : MISSING,
            ],
          };
        })}
      />
    </section>
  );
};
