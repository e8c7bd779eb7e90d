import { useQuery } from '@tanstack/react-query';
import { uptimeStatus } from '#contract/api/site/contents.ts';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { StatusPill, type Tone } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { formatPercent } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

/** The states by their number in Uptime Kuma. */
const STATES = ['down', 'up', 'pending', 'maintenance'] as const;
const TONES: Readonly<Record<(typeof STATES)[number], Tone>> = {
  down: 'bad',
  up: 'ok',
  pending: 'warn',
  maintenance: 'info',
};
const EVERY_MS = 60_000;

/** The operator's watched services, by status page. */
const UptimePanel = () => {
  const { t } = useTranslation('dashboard');
  const { data, error, refetch } = useQuery({
    queryKey: ['uptime'],
    queryFn: ({ signal }) => call(uptimeStatus, {}, signal),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
  });
  return (
    <section className="dash-card" aria-labelledby="panel-uptime">
      <h2 id="panel-uptime">{t('panels.uptime')}</h2>
      {data === undefined && error === null && <Skeleton height={96} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.map(({ categoryName, description, monitors }) => (
        <section key={categoryName} className="panel-uptime">
          <h3>{categoryName}</h3>
          {description !== '' && <p className="meta">{description}</p>}
          {monitors.length === 0 && <p className="meta">{t('panels.noMonitors')}</p>}
          <ul>
            {monitors.map(({ name, group, status, uptime }) => {
              const state = STATES[status] ?? 'down';
              return (
                <li key={`${group}\n${name}`}>
                  <span className="truncate" data-tip={group === '' ? undefined : group}>
                    {name}
                  </span>
                  <span className="number meta" data-tip={t('panels.uptimeTip')}>
                    {formatPercent(uptime)}
                  </span>
                  <StatusPill tone={TONES[state]}>{t(`panels.states.${state}`)}</StatusPill>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </section>
  );
};

export default UptimePanel;
