import {
  IconChecks,
  IconDots,
  IconRefreshDot,
  IconSortDescendingNumbers,
  IconTag,
  IconTestPipe,
  IconTool,
  IconTrash,
  IconWallet,
} from '@tabler/icons-react';
import { IconButton } from '../../kit/button.tsx';
import { confirm } from '../../kit/dialogs.ts';
import { Menu, type MenuItem } from '../../kit/menu.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import { useIsPhone } from '../../lib/media.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryClient, useAction } from '../../lib/query.ts';
import { toast } from '../../lib/toasts.ts';
import { CHANNELS } from './channel.ts';
import {
  beginRound,
  CHANNEL_ROUNDS,
  CHANNEL_TAGS,
  fixAll,
  removeDisabled,
  type RoundKind,
} from './channel-work.ts';
import type { ChannelModes } from './use-channel-modes.ts';

const SIZE = 16;
const LISTS = [CHANNELS, CHANNEL_TAGS];

/** How the list is shown, and what is done to all channels. */
export const ChannelTools = ({ modes }: { readonly modes: ChannelModes }) => {
  const { t } = useTranslation('channels');
  const isPhone = useIsPhone();
  const work = useWholeWork();
  // A phone has no room for every switch.
  const switches: readonly MenuItem[] = [
    { label: t('idSort'), checked: modes.isIdSorted, run: modes.turnIdSort },
    { label: t('batchMode'), checked: modes.isBatch, run: modes.turnBatch },
  ];
  const items = isPhone ? [...switches, ...work] : work;
  return (
    <>
      {!isPhone && (
        <IconButton label={t('idSort')} pressed={modes.isIdSorted} onClick={modes.turnIdSort}>
          <IconSortDescendingNumbers size={17} />
        </IconButton>
      )}
      <IconButton label={t('tagMode')} pressed={modes.isByTag} onClick={modes.turnByTag}>
        <IconTag size={17} />
      </IconButton>
      {!isPhone && (
        <IconButton label={t('batchMode')} pressed={modes.isBatch} onClick={modes.turnBatch}>
          <IconChecks size={17} />
        </IconButton>
      )}
      <Menu label={t('all.more')} items={() => items}>
        <IconDots size={17} />
      </Menu>
    </>
  );
};

const useWholeWork = (): readonly MenuItem[] => {
  const { t } = useTranslation('channels');
  const fix = useAction<void, number>({ run: fixAll, refresh: LISTS });
  const remove = useAction<void, number>({ run: removeDisabled, refresh: LISTS });

  const begin = async (kind: RoundKind): Promise<void> => {
    if (!(await confirm({ title: t(`round.${kind}.ask`), text: t(`round.${kind}.about`) }))) return;
    try {
      await beginRound(kind);
      toast('ok', t(`round.${kind}.begun`));
    } catch (error) {
      toast('bad', messageOf(error));
    }
    await queryClient.invalidateQueries({ queryKey: [CHANNEL_ROUNDS] });
  };
  const askAndRemove = async (): Promise<void> => {
    const question = { title: t('all.deleteTitle'), text: t('all.deleteText'), action: t('action.delete') };
    if (!(await confirm({ ...question, danger: true }))) return;
    remove.mutate(undefined, { onSuccess: (count) => toast('ok', t('all.deletedDisabled', { count })) });
  };
  const askAndFix = async (): Promise<void> => {
    if (!(await confirm({ title: t('all.fixTitle'), text: t('all.fixText') }))) return;
    fix.mutate(undefined, { onSuccess: (count) => toast('ok', t('all.fixed', { count })) });
  };
  const reload = (): void =>
    LISTS.forEach((name) => void queryClient.invalidateQueries({ queryKey: [name] }));
  return [
    { label: t('all.test'), icon: <IconTestPipe size={SIZE} />, run: () => void begin('test') },
    { label: t('all.balance'), icon: <IconWallet size={SIZE} />, run: () => void begin('balance') },
    { label: t('all.reload'), icon: <IconRefreshDot size={SIZE} />, run: reload },
    { label: t('all.fix'), icon: <IconTool size={SIZE} />, run: () => void askAndFix() },
    {
      label: t('all.deleteDisabled'),
      icon: <IconTrash size={SIZE} />,
      danger: true,
      parted: true,
      run: () => void askAndRemove(),
    },
  ];
};
