import { useQuery } from '@tanstack/react-query';
import { countSessions, forgetSessions } from '#contract/api/channels/affinity.ts';
import { Button } from '../../../kit/button.tsx';
import { call } from '../../../lib/server/api.ts';
import { MISSING } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';

const SESSIONS = 'channel-sessions';

/** The number of sessions that stay at a channel because their prompts are cached there, and a button that releases them. */
export const SessionLine = ({ channelId }: { readonly channelId: number }) => {
  const { t } = useTranslation('channel-more');
  const { data } = useQuery({
    queryKey: [SESSIONS],
    queryFn: ({ signal }) => call(countSessions, {}, signal),
  });
  const forget = useAction({
    run: () => call(forgetSessions, { body: { channel_id: channelId } }),
    done: t('detail.sessionsForgotten'),
    refresh: [SESSIONS],
  });
  if (data === undefined) return MISSING;
  const count = data.find(({ channel_id: id }) => id === channelId)?.sessions ?? 0;
  return (
    <>
      {t('detail.sessionCount', { count })}{' '}
      {count > 0 && (
        <Button size="small" disabled={forget.isPending} onClick={() => forget.mutate(undefined)}>
          {t('detail.forgetSessions')}
        </Button>
      )}
    </>
  );
};
