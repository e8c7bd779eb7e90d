import {
  IconChecks,
  IconDots,
  IconHelpHexagon,
  IconRefreshDot,
  IconSortDescendingNumbers,
  IconTag,
  IconTestPipe,
  IconTool,
  IconTrash,
  IconWallet,
} from '@tabler/icons-react';
import { IconButton } from '../../kit/button.tsx';
import { Menu } from '../../kit/overlays/menu.tsx';
import { type MenuItem } from '../../kit/overlays/menu-list.tsx';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { useIsPhone } from '../../lib/browser/media.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { queryClient } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { CHANNELS } from './channel.ts';
import { CHANNEL_TAGS } from './channel-work.ts';
import type { ChannelModes } from './use-channel-modes.ts';

const SIZE = 16;

/** Buttons that change how the list is shown, and the menu of actions on all channels. */
export const ChannelTools = ({ modes }: { readonly modes: ChannelModes }) => {
  const { t } = useTranslation('channels');
  const isPhone = useIsPhone();
  const work = useWholeWork();
  // On phones the switches do not all fit.
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

const loadWork = () => import('./whole-work.ts');
const loadWholeWork = withTexts('channel-more', loadWork);
type WholeWork = Awaited<ReturnType<typeof loadWork>>;

/** Runs one action on all channels. Its texts and dialogs are loaded with it. */
const start = async (act: (work: WholeWork) => Promise<void>): Promise<void> => {
  try {
    await act(await loadWholeWork());
  } catch (error) {
    toast('bad', messageOf(error));
  }
};

const useWholeWork = (): readonly MenuItem[] => {
  const { t } = useTranslation('channels');
  const [, patchUrl] = useUrlState();
  const reload = (): void =>
    [CHANNELS, CHANNEL_TAGS].forEach((name) => void queryClient.invalidateQueries({ queryKey: [name] }));
  return [
    {
      label: t('all.test'),
      icon: <IconTestPipe size={SIZE} />,
      run: () => void start((work) => work.askAndBegin('test')),
    },
    {
      label: t('all.balance'),
      icon: <IconWallet size={SIZE} />,
      run: () => void start((work) => work.askAndBegin('balance')),
    },
    {
      label: t('all.explain'),
      icon: <IconHelpHexagon size={SIZE} />,
      run: () => patchUrl({ explain: '1' }),
    },
    { label: t('all.reload'), icon: <IconRefreshDot size={SIZE} />, run: reload },
    {
      label: t('all.fix'),
      icon: <IconTool size={SIZE} />,
      run: () => void start((work) => work.askAndFix()),
    },
    {
      label: t('all.deleteDisabled'),
      icon: <IconTrash size={SIZE} />,
      danger: true,
      parted: true,
      run: () => void start((work) => work.askAndRemove()),
    },
  ];
};
