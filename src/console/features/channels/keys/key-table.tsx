import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { CHANNEL_WEIGHT_MAX } from '#contract/limits.ts';
import { confirm } from '../../../kit/dialogs/dialogs.ts';
import { InlineNumber } from '../../../kit/tables/inline-number.tsx';
import { Menu } from '../../../kit/overlays/menu.tsx';
import { QuotaText } from '../../../kit/texts/quota-text.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { EmptyState } from '../../../kit/states.tsx';
import { StatusPill, Switch, type Tone } from '../../../kit/status.tsx';
import { TimeText } from '../../../kit/texts/time-text.tsx';
import { messageOf } from '../../../lib/server/api-error.ts';
import { formatDuration } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { toast } from '../../../lib/toasts.ts';
import { EditKey, KEY_LIMITS } from './edit-key.tsx';
import {
  changeKey,
  type ChannelKey,
  KEYS_CHANGED,
  type KeyChanges,
  type KeyStatus,
  removeKeys,
  tryKey,
} from './key-calls.ts';

const TONES: Readonly<Record<KeyStatus, Tone>> = {
  enabled: 'ok',
  cooling: 'warn',
  spent: 'warn',
  revoked: 'bad',
  off: 'muted',
};

interface KeyTableProps {
  readonly channelId: number;
  readonly keys: readonly ChannelKey[];
}

/** The keys, one per row, edited in the table; fields that rarely change open below. */
export const KeyTable = ({ channelId, keys }: KeyTableProps) => {
  const { t } = useTranslation('channel-keys');
  const [edited, setEdited] = useState<ChannelKey>();
  const change = useAction({
    run: ({ id, ...body }: KeyChanges & { readonly id: number }) => changeKey(channelId, id, body),
    refresh: KEYS_CHANGED,
  });
  const menuOf = useKeyMenu(channelId, setEdited);
  if (keys.length === 0) return <EmptyState text={t('none')} />;
  const columns = [
    { title: t('key') },
    { title: t('state') },
    { title: t('weight'), align: 'end' as const },
    { title: t('used'), align: 'end' as const },
    { title: t('tested') },
    { title: t('switch') },
    { title: t('more'), hidden: true },
  ];
  return (
    <>
      <SmallTable
        label={t('keys')}
        isStackable
        columns={columns}
        rows={keys.map((key) => ({
          id: String(key.id),
          cells: [
            <KeyName key="name" of={key} />,
            <KeyState key="state" of={key} />,
            <InlineNumber
              key="weight"
              label={t('weightOf', { name: nameOf(key) })}
              value={key.weight}
              min={0}
              max={CHANNEL_WEIGHT_MAX}
              onChange={(weight) => change.mutate({ id: key.id, weight })}
            />,
            <QuotaText key="used" units={key.used_quota} />,
            <TimeText key="tested" at={key.test_time} />,
            <Switch
              key="switch"
              label={t('switchOf', { name: nameOf(key) })}
              checked={key.status !== 'off' && key.status !== 'revoked'}
              onChange={(isOn) => change.mutate({ id: key.id, status: isOn ? 'enabled' : 'off' })}
            />,
            <Menu key="more" label={t('moreOf', { name: nameOf(key) })} items={() => menuOf(key)}>
              <IconDots size={16} />
            </Menu>,
          ],
        }))}
      />
      {edited !== undefined && (
        <EditKey
          key={edited.id}
          channelId={channelId}
          of={edited}
          name={nameOf(edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
};

/** A key's name, else its last characters, else its id. */
const nameOf = ({ id, label, tail }: ChannelKey): string => label || (tail === '' ? `#${id}` : `…${tail}`);

const KeyName = ({ of }: { readonly of: ChannelKey }) => {
  const { t } = useTranslation('channel-keys');
  const limits = KEY_LIMITS.filter((limit) => of[limit] > 0);
  return (
    <span className="keys-name">
      {of.label !== '' && <span className="truncate">{of.label}</span>}
      <span className={of.label === '' ? 'mono nowrap' : 'mono nowrap meta'}>
        {of.tail === '' ? `#${of.id}` : `…${of.tail}`}
      </span>
      {of.proxy !== '' && <span className="meta truncate">{of.proxy}</span>}
      {limits.map((limit) => (
        <span key={limit} className="meta">
          {t(`limit.${limit}`)} {of[limit].toLocaleString('en')}
        </span>
      ))}
    </span>
  );
};

const KeyState = ({ of }: { readonly of: ChannelKey }) => {
  const { t } = useTranslation('channel-keys');
  const [nowSeconds] = useState(() => Date.now() / 1000);
  return (
    <span className="keys-state">
      <StatusPill tone={TONES[of.status]}>{t(`status.${of.status}`)}</StatusPill>
      {of.until_time > nowSeconds && (
        <span className="meta">
          {t('until')} <TimeText at={of.until_time} exact />
        </span>
      )}
      {of.until_time > 0 && of.until_time <= nowSeconds && <span className="meta">{t('due')}</span>}
      {of.status !== 'enabled' && of.changed_time > 0 && (
        <span className="meta">
          {t('since')} <TimeText at={of.changed_time} exact />
        </span>
      )}
      {of.reason !== '' && (
        <span className="meta keys-reason" data-tip={of.reason}>
          {of.reason}
        </span>
      )}
    </span>
  );
};

const useKeyMenu = (channelId: number, onEdit: (key: ChannelKey) => void) => {
  const { t } = useTranslation('channel-keys');
  const test = useAction({
    run: async (key: ChannelKey) => {
      toast('ok', t('works', { name: nameOf(key), time: formatDuration(await tryKey(channelId, key.id)) }));
    },
    refresh: KEYS_CHANGED,
    quiet: true,
  });
  const remove = useAction({
    run: ({ id }: ChannelKey) => removeKeys(channelId, { ids: [id] }),
    done: t('deleted'),
    refresh: KEYS_CHANGED,
  });
  const failed = (key: ChannelKey, error: Error): void =>
    toast('bad', t('fails', { name: nameOf(key), message: messageOf(error) }));
  const askAndRemove = async (key: ChannelKey): Promise<void> => {
    const title = t('deleteTitle', { name: nameOf(key) });
    if (await confirm({ title, text: t('deleteText'), action: t('delete'), danger: true }))
      remove.mutate(key);
  };
  return (key: ChannelKey) => [
    { label: t('test'), run: () => test.mutate(key, { onError: (error) => failed(key, error) }) },
    { label: t('edit'), run: () => onEdit(key) },
    { label: t('delete'), danger: true, parted: true, run: () => void askAndRemove(key) },
  ];
};
