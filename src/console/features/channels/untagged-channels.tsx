import { useQuery } from '@tanstack/react-query';
import { listChannels, searchChannels } from '#contract/api/channels.ts';
import { MAX_PAGE_SIZE } from '#contract/limits.ts';
import { FoldedSection } from '../../kit/folded-section.tsx';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { useView } from '../../kit/resource-table/use-view.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ChannelsOfTag } from './tag-children.tsx';
import { CHANNEL_TAGS } from './channel-work.ts';

interface UntaggedChannelsProps {
  readonly filters: readonly Filter[];
  readonly onEdit: (channelId: number) => void;
}

/** Below the tags, the channels under the same filters that have none: nothing is hidden by grouping. */
export const UntaggedChannels = ({ filters, onEdit }: UntaggedChannelsProps) => {
  const { t } = useTranslation('channel-more');
  const { view } = useView(filters);
  const { status, type, group, model } = view.filters;
  const { data } = useQuery({
    queryKey: [CHANNEL_TAGS, 'untagged', view.search, view.filters],
    queryFn: ({ signal }) => {
      const list = { untagged: 'true', page_size: MAX_PAGE_SIZE, status: status ?? '', type: type ?? '' };
      return view.search !== '' || Boolean(group) || Boolean(model)
        ? call(searchChannels, { query: { ...list, keyword: view.search.trim(), group, model } }, signal)
        : call(listChannels, { query: list }, signal);
    },
  });
  if (data === undefined || data.total === 0) return null;
  const more = data.total - data.items.length;
  return (
    <div className="untagged">
      <FoldedSection title={t('tags.untagged', { count: data.total })} level={2}>
        <ChannelsOfTag
          label={t('tags.untagged', { count: data.total })}
          channels={data.items}
          onEdit={onEdit}
        />
        {more > 0 && <p className="meta">{t('tags.moreUntagged', { count: more })}</p>}
      </FoldedSection>
    </div>
  );
};
