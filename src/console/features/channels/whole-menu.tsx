import {
  IconDots,
  IconHelpHexagon,
  IconRefreshDot,
  IconTestPipe,
  IconTool,
  IconTrash,
  IconWallet,
} from '@tabler/icons-react';
import { Menu } from '../../kit/overlays/menu.tsx';
import { type MenuItem } from '../../kit/overlays/menu-list.tsx';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { queryClient } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { CHANNEL_TAGS, CHANNELS } from './channel.ts';

const SIZE = 16;

/** The menu of actions on all channels, after those that are given. */
const WholeMenu = ({ first }: { readonly first: readonly MenuItem[] }) => {
  const { t } = useTranslation('channels');
  const work = useWholeWork();
  return (
    <Menu label={t('all.more')} items={() => [...first, ...work]}>
      <IconDots size={17} />
    </Menu>
  );
};

export default WholeMenu;

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
