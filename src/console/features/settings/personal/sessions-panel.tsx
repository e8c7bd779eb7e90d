import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endOtherSessions, endSession, listSessions } from '#contract/api/people/personal.ts';
import { Button } from '../../../kit/button.tsx';
import { confirm } from '../../../kit/dialogs/dialogs.ts';
import { ErrorState, Skeleton } from '../../../kit/states.tsx';
import { StatusPill } from '../../../kit/status.tsx';
import { call } from '../../../lib/server/api.ts';
import { formatRelative } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { Panel, PanelRow } from './panel.tsx';

/** The query key. */
export const SESSIONS = 'sessions';

/** `Chrome · Windows` of a browser's long name. */
export const browserOf = (agent: string): string => {
  const browser = /(Edg|Firefox|Chrome|Safari|curl|node)/i.exec(agent)?.[1] ?? agent.slice(0, 24);
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(agent)?.[1];
  const name = browser === 'Edg' ? 'Edge' : browser;
  return [name, system].filter((part) => part !== undefined && part !== '').join(' · ');
};

/** The user's sessions, and buttons that end them. */
export const SessionsPanel = () => {
  const { t } = useTranslation('personal');
  const query = useQuery({ queryKey: [SESSIONS], queryFn: () => call(listSessions) });
  const { data = [] } = query;
  const end = useAction({
    run: (key: string) => call(endSession, { params: { key } }),
    refresh: [SESSIONS],
  });
  const endOthers = useAction({
    run: () => call(endOtherSessions),
    done: t('sessions.ended'),
    refresh: [SESSIONS],
  });
  const ask = async (): Promise<void> => {
    const title = t('sessions.askTitle');
    if (await confirm({ title, text: t('sessions.askText'), action: t('sessions.endAll'), danger: true }))
      endOthers.mutate();
  };
  return (
    <Panel
      title={t('sessions.title')}
      about={t('sessions.about')}
      foot={
        <Button disabled={data.length < 2} busy={endOthers.isPending} onClick={() => void ask()}>
          {t('sessions.endAll')}
        </Button>
      }
    >
      {query.isPending && <Skeleton height={40} />}
      {query.isLoadingError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {data
        .toSorted((one, other) => Number(other.is_current) - Number(one.is_current))
        .map((session) => (
          <PanelRow
            key={session.id}
            icon={
              /Android|iPhone|iPad/.test(session.user_agent) ? (
                <IconDeviceMobile size={18} />
              ) : (
                <IconDeviceDesktop size={18} />
              )
            }
            name={browserOf(session.user_agent) || t('sessions.unknown')}
            value={`${session.ip} · ${t('sessions.seen', { when: formatRelative(session.last_seen_at) })}`}
          >
            {session.is_current ? (
              <StatusPill tone="ok">{t('sessions.current')}</StatusPill>
            ) : (
              <Button size="small" onClick={() => end.mutate(session.id)}>
                {t('sessions.end')}
              </Button>
            )}
          </PanelRow>
        ))}
    </Panel>
  );
};
