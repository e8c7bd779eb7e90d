import { IconNote } from '@tabler/icons-react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { channelType } from '#contract/channel-types.ts';
import { CHANNEL_PRIORITY_MAX, CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MAX } from '#contract/limits.ts';
import { NamedCell } from '../../kit/tables/named-cell.tsx';
import { InlineNumber } from '../../kit/tables/inline-number.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import { MoneyText, QuotaText } from '../../kit/texts/quota-text.tsx';
import { Chip, Switch } from '../../kit/status.tsx';
import {
  formatMoney,
  formatNames,
  formatPercent,
  formatRelative,
  formatTime,
  MISSING,
} from '../../lib/text/format.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { changeNumber, switchChannel } from './channel-calls.ts';
import { CHANNELS, isEnabled, listOf, stopReason, type Channel } from './channel.ts';

interface CellProps {
  readonly channel: Channel;
  /** Reloads a list that sums up the channels. */
  readonly onChanged?: () => void;
}

export const NameCell = ({ channel }: CellProps) => {
  const { t } = useTranslation('channels');
  return (
    <NamedCell name={channel.name} mark={<ProviderIcon type={channel.type} />} nameClass="channel-name">
      #{channel.id} · {channelType(channel.type)?.label ?? channel.type}
      {channel.pool !== undefined && ` · ${t('pool', channel.pool)}`}
      {channel.remark !== '' && (
        <span className="channel-note" role="img" aria-label={channel.remark} data-tip={channel.remark}>
          <IconNote size={13} />
        </span>
      )}
    </NamedCell>
  );
};

/** The switch and its state in words, with reason and time of an automatic disable. */
export const StatusCell = ({ channel, onChanged }: CellProps) => {
  const { t } = useTranslation('channels');
  const stop = stopReason(channel);
  const isOn = isEnabled(channel);
  return (
    <Switch
      checked={isOn}
      label={t('status.of', { name: channel.name })}
      onChange={(wanted) => void switchChannel(channel, wanted ? 'on' : 'off').then(onChanged)}
    >
      {stop === undefined ? (
        <span>{isOn ? t('status.enabled') : t('status.disabled')}</span>
      ) : (
        <span
          className="tone-bad channel-stopped"
          data-tip={t('status.autoTip', {
            reason: stop.reason || t('status.unknownReason'),
            time: stop.at > 0 ? formatTime(stop.at) : MISSING,
          })}
        >
          {t('status.auto')}
        </span>
      )}
    </Switch>
  );
};

export const ModelsCell = ({ channel }: CellProps) => {
  const { t } = useTranslation('channels');
  const models = listOf(channel.models);
  return (
    <span
      className="number"
      aria-label={t('models.count', { count: models.length })}
      role="img"
      data-tip={formatNames(models)}
    >
      {models.length}
    </span>
  );
};

/** The quota used and the upstream's balance. A click fetches the balance again. */
export const QuotaCell = ({ channel }: CellProps) => {
  const { t } = useTranslation('channels');
  const isKnown = channel.balance_updated_time > 0;
  const ask = useAction<Channel, number>({
    run: async (channel) => (await import('./channel-work.ts')).askBalance(channel),
    refresh: [CHANNELS],
  });
  const { name } = channel;
  const tip = isKnown
    ? t('quota.balanceTip', { time: formatRelative(channel.balance_updated_time) })
    : t('quota.noBalance');
  return (
    <span className="channel-quota">
      <QuotaText units={channel.used_quota} />
      <button
        type="button"
        className="meta number channel-balance"
        aria-label={
          isKnown
            ? t('quota.ask', { name, amount: formatMoney(channel.balance) })
            : t('quota.askFirst', { name })
        }
        aria-busy={ask.isPending || undefined}
        data-tip={tip}
        // Disabled it would lose the focus.
        onClick={() =>
          !ask.isPending &&
          ask.mutate(channel, {
            onSuccess: (amount) => toast('ok', t('quota.updated', { name, amount: formatMoney(amount) })),
          })
        }
      >
        {ask.isPending ? '…' : isKnown ? <MoneyText dollars={channel.balance} /> : t('quota.get')}
      </button>
    </span>
  );
};

export const PriorityCell = ({ channel, onChanged }: CellProps) => {
  const { t } = useTranslation('channels');
  return (
    <InlineNumber
      value={channel.priority}
      label={t('priorityOf', { name: channel.name })}
      min={CHANNEL_PRIORITY_MIN}
      max={CHANNEL_PRIORITY_MAX}
      onChange={(value) => void changeNumber(channel, 'priority', value).then(onChanged)}
    />
  );
};

/** The weight, with a bar for the share of its priority's calls that it gives. */
export const WeightCell = ({ channel, onChanged }: CellProps) => {
  const { t } = useTranslation('channels');
  const { share } = channel;
  const part = share === undefined ? undefined : formatPercent(share);
  return (
    <span className="channel-weight">
      <InlineNumber
        value={channel.weight}
        label={t('weightOf', { name: channel.name })}
        min={0}
        max={CHANNEL_WEIGHT_MAX}
        tip={part && t('share', { part })}
        onChange={(value) => void changeNumber(channel, 'weight', value).then(onChanged)}
      />
      {share !== undefined && share > 0 && share < 1 && (
        <span
          className="channel-share"
          style={{ '--share': share }}
          role="img"
          aria-label={t('share', { part })}
        />
      )}
    </span>
  );
};

/** A tag may be as long as a sentence. */
export const TagChip = ({ tag }: { readonly tag: string }) => (
  <Chip tip={tag}>
    <span className="channel-tag truncate">{tag}</span>
  </Chip>
);
