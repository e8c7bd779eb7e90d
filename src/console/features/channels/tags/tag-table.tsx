import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import { CHANNEL_PRIORITY_MAX, CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MAX } from '#contract/limits.ts';
import { late } from '../../../kit/late.tsx';
import { GroupChips } from '../../../kit/group-chip.tsx';
import { InlineNumber } from '../../../kit/tables/inline-number.tsx';
import type { MenuItem } from '../../../kit/overlays/menu-list.tsx';
import { QuotaText } from '../../../kit/texts/quota-text.tsx';
import type { Column } from '../../../kit/resource-table/column.ts';
import type { Filter } from '../../../kit/resource-table/filter.ts';
import { ResourceTable } from '../../../kit/resource-table/resource-table.tsx';
import { Chip } from '../../../kit/status.tsx';
import { messageOf } from '../../../lib/server/api-error.ts';
import { formatDuration, formatQuota } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { queryClient, useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { CHANNEL_TAGS, CHANNELS, listOf, responseTone } from '../channel.ts';
import { loadTagged, loadTags, saveTag, switchTag, type TagOfChannels } from '../channel-work.ts';
import { ChannelsPart } from '../channels-part.tsx';
import { UntaggedChannels } from './untagged-channels.tsx';

const TagDrawer = late(() => import('./tag-drawer.tsx'));

const SIZE = 16;
/** Identified by name: a tag's id is that of its first channel, which may leave the tag. */
const numbers = new Map<string, number>();
const idOf = ({ tag }: TagOfChannels): number => {
  const number = numbers.get(tag) ?? numbers.size + 1;
  numbers.set(tag, number);
  return number;
};
const nameOf = (tag: TagOfChannels): string => tag.tag;

interface TagTableProps {
  readonly filters: readonly Filter[];
  readonly tools: ReactNode;
  readonly onEdit: (channelId: number) => void;
}

/** Channels grouped by tag: one row per tag, its channels below. */
const TagTable = ({ filters, tools, onEdit }: TagTableProps) => {
  const { t } = useTranslation('channels');
  const { t: more } = useTranslation('channel-more');
  const columns = useTagColumns();
  const [edited, setEdited] = useState<TagOfChannels>();
  const menu = useTagMenu();
  return (
    <>
      <ResourceTable
        name={CHANNEL_TAGS}
        label={more('tags.label')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={loadTags}
        searchLabel={t('search')}
        tools={tools}
        onEdit={setEdited}
        rowMenu={menu}
        expand={({ tag, count }) => (
          <ChannelsPart
            label={more('tags.childrenOf', { tag })}
            queryKey={['tagged', tag]}
            load={(part, signal) => loadTagged(tag, part, signal)}
            count={count}
            onEdit={onEdit}
          />
        )}
        emptyText={more('tags.empty')}
      />
      <UntaggedChannels filters={filters} onEdit={onEdit} />
      <Suspense>
        {edited !== undefined && <TagDrawer tag={edited} onClose={() => setEdited(undefined)} />}
      </Suspense>
    </>
  );
};

const useTagMenu = (): ((tag: TagOfChannels) => readonly MenuItem[]) => {
  const { t: more } = useTranslation('channel-more');
  const turn = useAction({
    run: ({ tag, isOn }: { readonly tag: string; readonly isOn: boolean }) => switchTag(tag, isOn),
    done: more('tags.switched'),
    refresh: [CHANNEL_TAGS, CHANNELS],
  });
  return ({ tag }) => [
    {
      label: more('tags.enable'),
      icon: <IconPlayerPlay size={SIZE} />,
      run: () => turn.mutate({ tag, isOn: true }),
    },
    {
      label: more('tags.disable'),
      icon: <IconPlayerStop size={SIZE} />,
      run: () => turn.mutate({ tag, isOn: false }),
    },
  ];
};

const change = async (
  { tag, ...was }: TagOfChannels,
  field: 'priority' | 'weight',
  value: number,
): Promise<void> => {
  try {
    await saveTag({ body: { tag, [field]: value, was: { [field]: was[field] } } });
  } catch (error) {
    toast('bad', messageOf(error));
  }
  const names = [CHANNEL_TAGS, CHANNELS];
  await Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
};

const bounds = {
  priority: { min: CHANNEL_PRIORITY_MIN, max: CHANNEL_PRIORITY_MAX },
  weight: { min: 0, max: CHANNEL_WEIGHT_MAX },
} as const;

/** A number shared by all channels of the tag, or a dash if they differ. Entering one sets it for all. */
const TagNumber = ({
  tag,
  field,
}: {
  readonly tag: TagOfChannels;
  readonly field: 'priority' | 'weight';
}) => {
  const { t } = useTranslation('channels');
  const { t: more } = useTranslation('channel-more');
  const value = tag[field];
  const label = t(`${field}Of`, { name: tag.tag });
  const refusal = (entered: number): string =>
    field === 'priority' && Number.isInteger(entered)
      ? more('invalid.priorityRange', bounds.priority)
      : more(`invalid.${field}`);
  return (
    <InlineNumber
      value={value}
      label={label}
      tip={value === null ? more('tags.differ') : undefined}
      {...bounds[field]}
      onChange={(next) => void change(tag, field, next)}
      onRefused={(entered) => toast('bad', refusal(entered))}
    />
  );
};

const useTagColumns = (): readonly Column<TagOfChannels>[] => {
  const { t } = useTranslation('channels');
  const { t: more } = useTranslation('channel-more');
  return useMemo(
    () => [
      {
        id: 'tag',
        title: t('column.tag'),
        card: 'title',
        cell: (row) => <Chip tip={row.tag}>{row.tag}</Chip>,
      },
      {
        id: 'status',
        title: t('column.status'),
        width: 92,
        card: 'aside',
        cell: (row) => (
          <span className="number meta nowrap">
            {more('tags.enabledOf', { enabled: row.enabled, total: row.count })}
          </span>
        ),
      },
      {
        id: 'groups',
        from: 720,
        title: t('column.groups'),
        cell: (row) => <GroupChips names={listOf(row.group)} />,
      },
      {
        id: 'response',
        title: more('tags.response'),
        cell: (row) => (
          <span className={`number tone-${responseTone(row.response_time)}`}>
            {row.response_time > 0 ? formatDuration(row.response_time) : t('response.untested')}
          </span>
        ),
      },
      {
        id: 'quota',
        title: more('tags.quota'),
        align: 'end',
        amount: (row) => formatQuota(row.used_quota),
        cell: (row) => <QuotaText units={row.used_quota} />,
      },
      {
        id: 'priority',
        title: t('column.priority'),
        align: 'end',
        width: 90,
        cell: (row) => <TagNumber tag={row} field="priority" />,
      },
      {
        id: 'weight',
        title: t('column.weight'),
        align: 'end',
        width: 90,
        cell: (row) => <TagNumber tag={row} field="weight" />,
      },
    ],
    [t, more],
  );
};

export default TagTable;
