import { useQuery } from '@tanstack/react-query';
import { countChannels } from '#contract/api/channels.ts';
import { call } from '../lib/api.ts';
import { useTranslation } from '../lib/i18n.ts';
import { queryClient } from '../lib/query.ts';

const MINUTE_MS = 60_000;

/** How many channels were switched off by themselves, beside their page in the menu; nothing while all is well. */
const ProblemBadge = () => {
  const { t } = useTranslation();
  // The menu stands outside of the pages, which alone have the client around them.
  const { data: count = 0 } = useQuery(
    {
      // What is known of channels: whoever changes one has it read again.
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
