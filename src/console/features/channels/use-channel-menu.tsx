import {
  IconBolt,
  IconCopy,
  IconFileText,
  IconHash,
  IconKey,
  IconPlayerPlay,
  IconPlayerStop,
  IconRadar,
  IconReceipt,
  IconScale,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t as say, useTranslation } from '../../lib/text/i18n.ts';
import { copyAndTell } from '../../kit/copy.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import type { MenuItem } from '../../kit/overlays/menu-list.tsx';
import { messageOf } from '../../lib/server/api-error.ts';
import { useDrawerUrl } from '../../lib/browser/url-state.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { removeChannel, switchChannel } from './channel-calls.ts';
import { CHANNELS, isEnabled, type Channel } from './channel.ts';

interface Openers {
  readonly onTest: (channel: Channel) => void;
  readonly onKeys: (channel: Channel) => void;
  readonly onSeen: (channel: Channel) => void;
  readonly onEvidence: (channel: Channel) => void;
  readonly onBill: (channel: Channel) => void;
}

const SIZE = 16;

/** The actions for one channel except editing. */
export const useChannelMenu = ({
  onTest,
  onKeys,
  onSeen,
  onEvidence,
  onBill,
}: Openers): ((channel: Channel) => readonly MenuItem[]) => {
  const { t } = useTranslation('channels');
  const navigate = useNavigate();
  const edit = useDrawerUrl('edit');
  const copy = useAction({
    run: async (channel: Channel) =>
      (await import('./channel-work.ts')).duplicate(channel, t('copySuffix', { name: channel.name })),
    refresh: [CHANNELS],
    quiet: true,
  });
  // It answers calls at once, as the first one does: what should be different is one press away.
  const copied = (id: number): void =>
    toast('ok', t('copied'), { label: say('action.edit'), run: () => edit.open(id) });
  const copyFailed = (error: Error): void => toast('bad', t('copyFailed', { message: messageOf(error) }));
  const remove = useAction({ run: removeChannel, done: t('deleted'), refresh: [CHANNELS] });

  const askAndRemove = async (channel: Channel): Promise<void> => {
    const title = t('deleteTitle', { name: channel.name });
    if (await confirm({ title, text: t('deleteText'), action: t('action.delete'), danger: true }))
      remove.mutate(channel);
  };
  return (channel) => [
    { label: t('action.test'), icon: <IconBolt size={SIZE} />, run: () => onTest(channel) },
    { label: t('action.keys'), icon: <IconKey size={SIZE} />, run: () => onKeys(channel) },
    { label: t('action.seen'), icon: <IconRadar size={SIZE} />, run: () => onSeen(channel) },
    { label: t('action.evidence'), icon: <IconScale size={SIZE} />, run: () => onEvidence(channel) },
    { label: t('action.bill'), icon: <IconReceipt size={SIZE} />, run: () => onBill(channel) },
    {
      label: say('page.logs'),
      icon: <IconFileText size={SIZE} />,
      run: () => void navigate({ to: '/log', search: { channel: String(channel.id) } }),
    },
    {
      label: t('action.copy'),
      icon: <IconCopy size={SIZE} />,
      run: () => copy.mutate(channel, { onSuccess: copied, onError: copyFailed }),
    },
    isEnabled(channel)
      ? {
          label: t('action.disable'),
          icon: <IconPlayerStop size={SIZE} />,
          run: () => void switchChannel(channel, 'off'),
        }
      : {
          label: t('action.enable'),
          icon: <IconPlayerPlay size={SIZE} />,
          run: () => void switchChannel(channel, 'on'),
        },
    {
      label: t('action.copyId'),
      icon: <IconHash size={SIZE} />,
      run: () => void copyAndTell(String(channel.id)),
    },
    {
      label: t('action.delete'),
      icon: <IconTrash size={SIZE} />,
      danger: true,
      parted: true,
      run: () => void askAndRemove(channel),
    },
  ];
};
