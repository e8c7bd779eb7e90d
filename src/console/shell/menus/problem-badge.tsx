import { useQuery } from '@tanstack/react-query';
import { countChannels } from '#contract/api/channels/channels.ts';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { queryClient } from '../../lib/server/query.ts';

const MINUTE_MS = 60_000;

/** The number of automatically disabled channels, beside their page in the menu; hidden if there are none. */
const ProblemBadge = () => {
  const { t } = useTranslation();
  // Passed explicitly: the menu is outside the pages, which have a provider.
  const { data: count = 0 } = useQuery(
    {
      // The key begins with that of the channel list, so that changes of channels reload it.
      queryKey: ['channels', 'counts'],
      queryFn: () => call(countChannels),
      select: (counts) => counts.auto_disabled,
      staleTime: MINUTE_MS,
      refetchInterval: MINUTE_MS,
      retry: false,
    },
    queryClient,
  );
  if (count === 0) return null;
  const text = t('shell.stopped', { count });
  return (
    <span className="side-badge number" data-tip={text}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="hidden-visually">{text}</span>
    </span>
  );
};

export default ProblemBadge;
