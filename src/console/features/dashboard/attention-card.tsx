import './attention-card.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readAttention } from '#contract/api/channels/attention.ts';
import { testKey } from '#contract/api/channels/channel-keys.ts';
import { testChannel, updateChannel } from '#contract/api/channels/channels.ts';
import { channelStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { call, callWhole } from '../../lib/server/api.ts';
import { formatExact, formatQuota } from '../../lib/text/format.ts';
import { type Translate, useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { AttentionRow } from './attention-row.tsx';

type Attention = Data<typeof readAttention>;

/** Problems that need an admin, each with a link to where it is fixed; hidden if there are none. */
const AttentionCard = ({ everyMs }: { readonly everyMs: number }) => {
  const { t } = useTranslation('dashboard');
  const { data, error, refetch } = useQuery({
    queryKey: ['attention'],
    queryFn: ({ signal }) => call(readAttention, {}, signal),
    refetchInterval: everyMs,
  });
  if (data === undefined)
    // Not to be taken for a site without problems.
    return error === null ? null : (
      <section className="dash-card attention" aria-label={t('attention.title')}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </section>
    );
  const { channels, keys, refusing, models, users, prices } = data;
  if (Object.values(data).every(({ total }) => total === 0)) return null;
  return (
    <section className="dash-card attention" aria-labelledby="dash-attention">
      <header>
        <h2 id="dash-attention">{t('attention.title')}</h2>
      </header>
      <div className="attention-kinds">
        {channels.total > 0 && (
          <Kind
            title={t('attention.channels', { count: channels.total, shown: formatExact(channels.total) })}
            all={
              <Link to="/channel" search={{ status: 'auto' }} className="link">
                {t('attention.all')}
              </Link>
            }
          >
            {channels.items.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} />
            ))}
          </Kind>
        )}
        {keys.total > 0 && (
          <Kind
            title={t('attention.keys', { count: keys.total, shown: formatExact(keys.total) })}
            all={
              <Link to="/channel" className="link">
                {t('attention.all')}
              </Link>
            }
          >
            {keys.items.map((key) => (
              <KeyRow key={key.id} of={key} />
            ))}
          </Kind>
        )}
        {refusing.total > 0 && <Refusing of={refusing} />}
        {models.total > 0 && (
          <Kind
            title={t('attention.models', { count: models.total, shown: formatExact(models.total) })}
            all={
              <Link to="/prices" search={{ origin: 'unset' }} className="link">
                {t('attention.all')}
              </Link>
            }
          >
            {models.items.map((model) => (
              <li key={model}>
                <span className="attention-what">
                  <Link to="/prices" search={{ origin: 'unset', edit: model }}>
                    {model}
                  </Link>
                </span>
              </li>
            ))}
          </Kind>
        )}
        {users.total > 0 && (
          <Kind
            title={t('attention.users', { count: users.total, shown: formatExact(users.total) })}
            all={
              <Link to="/user" search={{ sort: 'quota' }} className="link">
                {t('attention.all')}
              </Link>
            }
          >
            {users.items.map(({ id, username, quota }) => (
              <li key={id}>
                <span className="attention-what">
                  <Link to="/user" search={{ edit: String(id) }}>
                    {username}
                  </Link>
                </span>
                <span className="meta number">{t('attention.left', { quota: formatQuota(quota) })}</span>
              </li>
            ))}
          </Kind>
        )}
        {prices.total > 0 && (
          <Kind
            title={t('attention.prices', { count: prices.total, shown: formatExact(prices.total) })}
            all={
              <Link to="/price-book" className="link">
                {t('attention.all')}
              </Link>
            }
          >
            {prices.items.map(({ id, reason, state }) => (
              <li key={id}>
                <span className="attention-what">
                  <Link to="/price-book" search={{ draft: String(id) }}>
                    {reasonOf(reason, t) || `#${String(id)}`}
                  </Link>
                  <span className="meta">{t(`attention.unpublished.${state}`)}</span>
                </span>
              </li>
            ))}
          </Kind>
        )}
      </div>
    </section>
  );
};

/** The reason of a change of prices; if nobody gave one, the form that made it. */
const reasonOf = (reason: string, t: Translate<'dashboard'>): string => {
  if (reason === 'settings') return t('attention.madeInSettings');
  return reason === 'prices' ? t('attention.madeInPrices') : reason;
};

interface KindProps {
  readonly title: string;
  /** A link to the full list. */
  readonly all: ReactNode;
  readonly children: ReactNode;
}

const Kind = ({ title, all, children }: KindProps) => (
  <section>
    <h3>
      {title} {all}
    </h3>
    <ul>{children}</ul>
  </section>
);

/** A channel that was disabled automatically, with a switch once its test succeeds. */
const ChannelRow = ({ channel }: { readonly channel: Attention['channels']['items'][number] }) => {
  const { t } = useTranslation('dashboard');
  const { id, name, reason, disabled_time: since } = channel;
  const enable = useAction({
    run: () => call(updateChannel, { body: { id, status: channelStatus.enabled } }),
    refresh: ['attention', 'channels'],
  });
  const action = (
    <Button
      size="small"
      aria-label={t('attention.enableNamed', { name })}
      busy={enable.isPending}
      onClick={() => enable.mutate()}
    >
      {t('attention.enable')}
    </Button>
  );
  const test = async (): Promise<number> =>
    Number((await callWhole(testChannel, { params: { id }, query: {} })).time);
  return (
    <AttentionRow name={name} channelId={id} test={test} action={action}>
      {reason} · <TimeText at={since} />
    </AttentionRow>
  );
};

const Refusing = ({ of }: { readonly of: Attention['refusing'] }) => {
  const { t } = useTranslation('dashboard');
  return (
    <Kind
      title={t('attention.refusing', { count: of.total, shown: formatExact(of.total) })}
      all={
        <Link to="/channel" className="link">
          {t('attention.all')}
        </Link>
      }
    >
      {of.items.map((one) => (
        <RefusingRow key={`${String(one.channel_id)} ${String(one.key_id)} ${one.model}`} of={one} />
      ))}
    </Kind>
  );
};

/** A model that a channel refuses while others answer. It is in use as before: it disappears with its first answer. */
const RefusingRow = ({ of }: { readonly of: Attention['refusing']['items'][number] }) => {
  const { channel_id: id, channel, key_id, key, model, reason, since_time: since } = of;
  const test = async (): Promise<number> => {
    const { time } =
      key_id === 0
        ? await callWhole(testChannel, { params: { id }, query: { model } })
        : await callWhole(testKey, { params: { id, key_id }, query: {}, body: { model } });
    return Number(time);
  };
  const name = [channel, key, model].filter((part) => part !== '').join(' · ');
  return (
    <AttentionRow name={name} channelId={id} isKey={key_id !== 0} test={test}>
      {reason !== '' && `${reason} · `}
      <TimeText at={since} />
    </AttentionRow>
  );
};

/** A key that calls do not use at the moment. A successful test puts it back into use. */
const KeyRow = ({ of }: { readonly of: Attention['keys']['items'][number] }) => {
  const { t } = useTranslation('dashboard');
  const { id, channel_id: channelId, channel, name, status, reason, changed_time: since } = of;
  const params = { id: channelId, key_id: id };
  const test = async (): Promise<number> =>
    Number((await callWhole(testKey, { params, query: {}, body: {} })).time);
  return (
    <AttentionRow name={`${channel} · ${name}`} channelId={channelId} isKey test={test}>
      {t(`attention.${status}`)} · {reason !== '' && `${reason} · `}
      <TimeText at={since} />
    </AttentionRow>
  );
};

export default AttentionCard;
