import { useQuery } from '@tanstack/react-query';
import { FoldedSection } from '../../../kit/folded-section.tsx';
import type { Filter } from '../../../kit/resource-table/filter.ts';
import { useView } from '../../../kit/resource-table/use-view.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { CHANNELS } from '../channel.ts';
import { loadUntagged } from '../channel-work.ts';
import { ChannelsPart } from '../channels-part.tsx';

interface UntaggedChannelsProps {
  readonly filters: readonly Filter[];
  readonly onEdit: (channelId: number) => void;
}

/** One row is enough to learn how many there are. */
const ONE = { page: 1, pageSize: 1 };

/** The channels without a tag, below the tags and under the same filters, so that grouping hides none. */
export const UntaggedChannels = ({ filters, onEdit }: UntaggedChannelsProps) => {
  const { t } = useTranslation('channel-more');
  const { view } = useView(filters);
  const { search, filters: wanted } = view;
  const queryKey = ['untagged', search, wanted];
  const { data } = useQuery({
    queryKey: [CHANNELS, ...queryKey, ONE],
    queryFn: ({ signal }) => loadUntagged(view, ONE, signal),
    meta: { isAside: true },
  });
  if (data === undefined || data.total === 0) return null;
  const title = t('tags.untagged', { count: data.total });
  return (
    <div className="untagged">
      <FoldedSection title={title} level={2}>
        <ChannelsPart
          key={JSON.stringify(queryKey)}
          label={title}
          queryKey={queryKey}
          load={(part, signal) => loadUntagged(view, part, signal)}
          count={data.total}
          onEdit={onEdit}
        />
      </FoldedSection>
    </div>
  );
};
