import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readMargin } from '#contract/api/logs/data.ts';
import { QUOTA_PER_UNIT, NANO_PER_USD } from '#contract/limits.ts';
import { Chip } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { formatMargin } from '../../lib/text/format-margin.ts';
import { formatMoney, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { HOUR_S, MONTH_S } from '../../lib/text/spans.ts';

/** Charges, costs and margin of a channel in the last thirty days. */
export const ChannelMargin = ({ id }: { readonly id: number }) => {
  const { t } = useTranslation('channel-more');
  const perDollar = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  // Rounded to the hour, so that repeated views share one query.
  const [end] = useState(() => Math.ceil(Date.now() / 1000 / HOUR_S) * HOUR_S);
  const { data } = useQuery({
    queryKey: ['margin', 'of-channel', id, end],
    queryFn: ({ signal }) =>
      call(
        readMargin,
        { query: { by: 'channel', channel: id, start_timestamp: end - MONTH_S, end_timestamp: end } },
        signal,
      ),
  });
  const [share] = data ?? [];
  if (data === undefined) return MISSING;
  if (share === undefined) return t('margin.none');
  const cost = share.cost_nano_usd / NANO_PER_USD;
  const margin = (share.quota - share.uncosted_quota) / perDollar - cost;
  if (share.count === share.uncosted)
    return t('margin.unknown', { revenue: formatMoney(share.quota / perDollar) });
  return (
    <>
      <span className="number">
        {t('margin.sum', formatMargin(cost, margin, share.uncosted_quota / perDollar))}
      </span>{' '}
      {margin < 0 && <Chip tone="bad">{t('margin.below')}</Chip>}
      {share.uncosted > 0 && <span className="meta"> {t('margin.uncosted', { count: share.uncosted })}</span>}
    </>
  );
};
