import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readOwnUsage } from '#contract/api/logs/data.ts';
import { Spark } from '../../kit/charts/charts.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { piecesOf } from '../../lib/pieces-of.ts';
import { WEEK_S } from '../../lib/text/spans.ts';

/** Four a day. */
const PIECES = 28;

/** The user's own usage of the last seven days; hidden if there was none. */
export const WeekUse = () => {
  const { t } = useTranslation('topup');
  const [to] = useState(() => Math.floor(Date.now() / 1000));
  const span = { from: to + 1 - WEEK_S, to };
  const { data = [] } = useQuery({
    queryKey: ['own-week', to],
    queryFn: ({ signal }) =>
      call(readOwnUsage, { query: { start_timestamp: span.from, end_timestamp: to } }, signal),
  });
  const used = data.reduce((sum, hour) => sum + hour.quota, 0);
  if (used === 0) return null;
  const label = t('balance.week');
  return (
    <dd className="wallet-week">
      <Spark
        label={label}
        values={piecesOf(
          data.map((hour) => ({ at: hour.created_at, value: hour.quota })),
          span,
          PIECES,
        )}
        width={150}
        height={36}
      />
      <span className="meta">
        {label} <QuotaText units={used} />
      </span>
    </dd>
  );
};
