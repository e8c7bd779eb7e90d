import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { DEFAULT_PAGE_SIZE } from '#contract/limits.ts';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import type { Page } from '../../kit/resource-table/column.ts';
import { TableSkeleton } from '../../kit/resource-table/grid/table-skeleton.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';
import { NameCell, PriorityCell, StatusCell, WeightCell } from './channel-cells.tsx';
import { CHANNEL_TAGS, CHANNELS, type Channel } from './channel.ts';
import { type Part } from './channel-work.ts';
import { ResponseCell } from './response-cell.tsx';

const Pager = late(() => import('../../kit/resource-table/pager.tsx'));

interface ChannelsPartProps {
  /** The table's name for screen readers. */
  readonly label: string;
  /** Distinguishes this list's query from others. */
  readonly queryKey: readonly unknown[];
  readonly load: (part: Part, signal: AbortSignal) => Promise<Page<Channel>>;
  /** The expected number of rows, to reserve their space while loading. */
  readonly count: number;
  readonly onEdit: (channelId: number) => void;
}

/** A part of the channels, loaded page by page when it comes into view, and editable like the full list. */
export const ChannelsPart = ({ label, queryKey, load, count, onEdit }: ChannelsPartProps) => {
  const [part, setPart] = useState<Part>({ page: 1, pageSize: DEFAULT_PAGE_SIZE });
  // The key begins with the list's, so that whatever reloads the list reloads these rows.
  const query = useQuery({
    queryKey: [CHANNELS, ...queryKey, part],
    queryFn: ({ signal }) => load(part, signal),
    placeholderData: keepPreviousData,
  });
  const columns = useColumnTitles();
  if (query.data === undefined) {
    if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
    return <TableSkeleton columns={columns} rows={Math.max(1, Math.min(count, part.pageSize))} />;
  }
  const { items, total } = query.data;
  const last = Math.max(1, Math.ceil(total / part.pageSize));
  // Leaves the last page when its channels have been removed.
  if (!query.isPlaceholderData && part.page > last) setPart({ ...part, page: last });
  return (
    <div aria-busy={query.isFetching}>
      <ChannelRows label={label} columns={columns} channels={items} onEdit={onEdit} />
      {total > DEFAULT_PAGE_SIZE && (
        <Suspense fallback={<div className="pager" />}>
          <Pager
            label={label}
            total={total}
            controls={{
              view: part,
              goTo: (page) => setPart({ ...part, page }),
              setPageSize: (pageSize) => setPart({ page: 1, pageSize }),
            }}
          />
        </Suspense>
      )}
    </div>
  );
};

const useColumnTitles = () => {
  const { t } = useTranslation('channels');
  const { t: more } = useTranslation('channel-more');
  const { t: common } = useTranslation();
  return [
    { id: 'name', title: t('column.name') },
    { id: 'status', title: t('column.status') },
    { id: 'response', title: t('column.response') },
    { id: 'quota', title: more('tags.quota'), align: 'end' as const },
    { id: 'priority', title: t('column.priority'), align: 'end' as const },
    { id: 'weight', title: t('column.weight'), align: 'end' as const },
    { id: 'actions', title: common('table.actions'), align: 'end' as const, hidden: true },
  ];
};

interface ChannelRowsProps extends Pick<ChannelsPartProps, 'label' | 'onEdit'> {
  readonly columns: ReturnType<typeof useColumnTitles>;
  readonly channels: readonly Channel[];
}

const ChannelRows = ({ label, columns, channels, onEdit }: ChannelRowsProps) => {
  const { t: more } = useTranslation('channel-more');
  const changed = (): void => void queryClient.invalidateQueries({ queryKey: [CHANNEL_TAGS] });
  const rows = channels.map((channel) => ({
    id: String(channel.id),
    cells: [
      <NameCell key="name" channel={channel} />,
      <StatusCell key="status" channel={channel} onChanged={changed} />,
      <ResponseCell key="response" channel={channel} onChanged={changed} />,
      <QuotaText key="quota" units={channel.used_quota} />,
      <PriorityCell key="priority" channel={channel} onChanged={changed} />,
      <WeightCell key="weight" channel={channel} onChanged={changed} />,
      <Button key="edit" size="small" onClick={() => onEdit(channel.id)}>
        {more('tags.editChannel')}
      </Button>,
    ],
  }));
  return <SmallTable isStackable label={label} columns={columns} rows={rows} />;
};
