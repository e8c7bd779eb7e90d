import { Suspense, useMemo } from 'react';
import { late } from '../../kit/late.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useHasCards } from '../../lib/browser/media.ts';
import { channelType } from '#contract/channel-types.ts';
import { GroupChips } from '../../kit/group-chip.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { formatQuota, MISSING } from '../../lib/text/format.ts';
import {
  ModelsCell,
  NameCell,
  PriorityCell,
  QuotaCell,
  StatusCell,
  TagChip,
  WeightCell,
} from './channel-cells.tsx';
import { listOf, type Channel } from './channel.ts';
import { ResponseCell } from './response-cell.tsx';

// Loaded late: few people show this column.
const RemarkCell = late(() => import('./remark-cell.tsx'));

const missing = <span className="tone-muted">{MISSING}</span>;

/** The card on phones: health, use, priority and weight (edited in its details). */
const ChannelCard = ({ channel }: { readonly channel: Channel }) => {
  const { t } = useTranslation('channels');
  return (
    <span className="channel-card">
      <ResponseCell channel={channel} />
      <span className="channel-quota">
        <QuotaText units={channel.used_quota} />
        <span className="meta number">
          {t('card.standing', { priority: channel.priority, weight: channel.weight })}
        </span>
      </span>
    </span>
  );
};

/** The columns of the list, created once per language; on phones the lines of a card. */
export const useChannelColumns = (): readonly Column<Channel>[] => {
  const { t } = useTranslation('channels');
  const hasCards = useHasCards();
  return useMemo(() => {
    const head: readonly Column<Channel>[] = [
      {
        id: 'name',
        sortable: true,
        title: t('column.name'),
        card: 'title',
        cell: (channel) => <NameCell channel={channel} />,
      },
      {
        id: 'status',
        title: t('column.status'),
        card: 'aside',
        cell: (channel) => <StatusCell channel={channel} />,
      },
    ];
    const left = hasCards ? ({ card: 'hidden' } as const) : {};
    const standing: readonly Column<Channel>[] = [
      {
        ...left,
        id: 'quota',
        from: 880,
        title: t('column.quota'),
        sorts: [
          { id: 'quota', title: t('column.used') },
          { id: 'balance', title: t('column.balance') },
        ],
        align: 'end',
        amount: (channel) => formatQuota(channel.used_quota),
        cell: (channel) => <QuotaCell channel={channel} />,
      },
      {
        ...left,
        id: 'priority',
        from: 720,
        sortable: true,
        title: t('column.priority'),
        align: 'end',
        width: 76,
        cell: (channel) => <PriorityCell channel={channel} />,
      },
      {
        ...left,
        id: 'weight',
        from: 800,
        sortable: true,
        title: t('column.weight'),
        align: 'end',
        width: 76,
        cell: (channel) => <WeightCell channel={channel} />,
      },
      {
        ...left,
        id: 'tag',
        from: 1120,
        title: t('column.tag'),
        cell: (channel) => (channel.tag ? <TagChip tag={channel.tag} /> : missing),
      },
    ];
    if (hasCards) {
      const cell = (channel: Channel) => <ChannelCard channel={channel} />;
      return [...head, { id: 'card', title: t('column.response'), card: 'plain', cell }, ...standing];
    }
    return [
      ...head,
      {
        id: 'groups',
        from: 1040,
        isDetailed: true,
        title: t('column.groups'),
        cell: (channel) => <GroupChips names={listOf(channel.group)} />,
      },
      {
        id: 'models',
        from: 960,
        isDetailed: true,
        title: t('column.models'),
        align: 'end',
        cell: (channel) => <ModelsCell channel={channel} />,
      },
      {
        id: 'response',
        sortable: true,
        title: t('column.response'),
        cell: (channel) => <ResponseCell channel={channel} />,
      },
      ...standing,
      {
        id: 'remark',
        title: t('column.remark'),
        optional: true,
        cell: (channel) => (
          <Suspense>
            <RemarkCell channel={channel} />
          </Suspense>
        ),
      },
      {
        id: 'address',
        title: t('column.address'),
        optional: true,
        cell: (channel) => (
          <span className="mono cell-title">
            {channel.base_url || channelType(channel.type)?.baseUrl || MISSING}
          </span>
        ),
      },
      {
        id: 'created',
        sortable: true,
        title: t('column.created'),
        optional: true,
        cell: (channel) => <TimeText at={channel.created_time} />,
      },
    ];
  }, [t, hasCards]);
};
