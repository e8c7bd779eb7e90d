import { Button } from '../../kit/button.tsx';
import { QuotaText } from '../../kit/quota-text.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { queryClient } from '../../lib/query.ts';
import { NameCell, PriorityCell, StatusCell, WeightCell } from './channel-cells.tsx';
import type { Channel } from './channel.ts';
import { CHANNEL_TAGS, type TagOfChannels } from './channel-work.ts';
import { ResponseCell } from './response-cell.tsx';

interface TagChildrenProps {
  readonly tag: TagOfChannels;
  readonly onEdit: (channelId: number) => void;
}

/** The channels of a tag. */
export const TagChildren = ({ tag, onEdit }: TagChildrenProps) => {
  const { t } = useTranslation('channel-more');
  return (
    <ChannelsOfTag label={t('tags.childrenOf', { tag: tag.tag })} channels={tag.children} onEdit={onEdit} />
  );
};

interface ChannelsOfTagProps {
  readonly label: string;
  readonly channels: readonly Channel[];
  readonly onEdit: (channelId: number) => void;
}

/** Some channels, editable as in the plain list. */
export const ChannelsOfTag = ({ label, channels, onEdit }: ChannelsOfTagProps) => {
  const { t } = useTranslation('channels');
  const { t: more } = useTranslation('channel-more');
  const { t: common } = useTranslation();
  const changed = (): void => void queryClient.invalidateQueries({ queryKey: [CHANNEL_TAGS] });
  const columns = [
    { title: t('column.name') },
    { title: t('column.status') },
    { title: t('column.response') },
    { title: more('tags.quota'), align: 'end' as const },
    { title: t('column.priority'), align: 'end' as const },
    { title: t('column.weight'), align: 'end' as const },
    { title: common('table.actions'), align: 'end' as const, hidden: true },
  ];
  const rows = channels.map((channel) => ({
    id: String(channel.id),
    cells: [
      <NameCell key="name" channel={channel} />,
      <StatusCell key="status" channel={channel} onChanged={changed} />,
      <ResponseCell key="response" channel={channel} />,
      <QuotaText key="quota" units={channel.used_quota} />,
      <PriorityCell key="priority" channel={channel} onChanged={changed} />,
      <WeightCell key="weight" channel={channel} onChanged={changed} />,
      <Button key="edit" size="small" onClick={() => onEdit(channel.id)}>
        {more('tags.editChannel')}
      </Button>,
    ],
  }));
  return <SmallTable label={label} columns={columns} rows={rows} />;
};
