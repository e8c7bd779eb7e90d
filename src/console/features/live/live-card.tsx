import { useId, useState } from 'react';
import { IconChevronRight } from '@tabler/icons-react';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { StatusPill } from '../../kit/status.tsx';
import { formatCount, formatDuration, formatPercent, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { HealthPill } from './health-pill.tsx';
import { LiveChart } from './live-chart.tsx';
import { aSecond, breakerTone, errorShare, type LiveChannel, type LiveKey } from './live.ts';

const duration = (ms: number | null): string => (ms === null ? MISSING : formatDuration(ms));
const share = (value: number | null): string => (value === null ? MISSING : formatPercent(value));

interface LiveCardProps {
  readonly channel: LiveChannel;
  readonly bucketSeconds: number;
}

/** One channel: its numbers, its last five minutes, and its keys if it has several. */
export const LiveCard = ({ channel, bucketSeconds }: LiveCardProps) => {
  const { t } = useTranslation('live');
  const { name, history, first_token_ms: first } = channel;
  const chart = t('chart', { name, count: Math.round((history.calls.length * bucketSeconds) / 60) });
  return (
    <li className="live-card" data-channel={channel.id}>
      <header>
        <h2 className="truncate">{name}</h2>
        <HealthPill channel={channel} />
      </header>
      <LiveChart
        label={chart}
        calls={history.calls}
        errors={history.errors}
        firstTokens={history.first_token_ms}
      />
      <dl className="number">
        <Figure name={t('calls')} value={aSecond(channel.calls)} />
        <Figure name={t('errors')} value={formatPercent(errorShare(channel))} />
        <Figure name={t('running')} value={formatCount(channel.in_flight)} />
        <Figure name={t('first')} value={`${duration(first.p50)} / ${duration(first.p95)}`} />
        <Figure name={t('cached')} value={share(channel.cached_share)} />
      </dl>
      {channel.pool > 0 && channel.keys.length > 0 && <Keys channel={channel} />}
    </li>
  );
};

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

const Keys = ({ channel: { keys, pool, name } }: { readonly channel: LiveChannel }) => {
  const { t } = useTranslation('live');
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="live-fold"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={16} aria-hidden />
        {t('keys', { count: keys.length, pool })}
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <SmallTable
            label={t('keysOf', { name })}
            isStackable
            columns={[
              { title: t('key') },
              { title: t('state') },
              { title: t('calls'), align: 'end' },
              { title: t('errors'), align: 'end' },
              { title: t('running'), align: 'end' },
              { title: t('first'), align: 'end' },
              { title: t('cached'), align: 'end' },
            ]}
            rows={keys.map((key) => ({ id: String(key.id), cells: cellsOf(key) }))}
          />
        )}
      </div>
    </>
  );
};

const cellsOf = (key: LiveKey) => [
  <span key="name" className="mono nowrap">
    {key.name}
  </span>,
  <KeyState key="state" of={key} />,
  aSecond(key.calls),
  formatPercent(errorShare(key)),
  formatCount(key.in_flight),
  `${duration(key.first_token_ms.p50)} / ${duration(key.first_token_ms.p95)}`,
  share(key.cached_share),
];

const KeyState = ({ of: { breaker, status } }: { readonly of: LiveKey }) => {
  const { t } = useTranslation('live');
  if (status !== 'enabled') return <StatusPill tone="warn">{t(`status.${status}`)}</StatusPill>;
  const word = breaker.state === 'closed' ? 'well' : breaker.state;
  return (
    <StatusPill tone={breakerTone(breaker)}>
      {t(`health.${word}`, { seconds: breaker.seconds_left })}
    </StatusPill>
  );
};
