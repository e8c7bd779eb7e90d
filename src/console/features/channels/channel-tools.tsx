import { IconChecks, IconDots, IconSortDescendingNumbers, IconTag } from '@tabler/icons-react';
import { Suspense } from 'react';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import type { MenuItem } from '../../kit/overlays/menu-list.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useIsPhone } from '../../lib/browser/media.ts';
import type { ChannelModes } from './use-channel-modes.ts';

const WholeMenu = late(() => import('./whole-menu.tsx'));

/** Buttons that change how the list is shown, and the menu of actions on all channels. */
export const ChannelTools = ({ modes }: { readonly modes: ChannelModes }) => {
  const { t } = useTranslation('channels');
  const isPhone = useIsPhone();
  // On phones the switches do not all fit.
  const switches: readonly MenuItem[] = [
    { label: t('idSort'), checked: modes.isIdSorted, run: modes.turnIdSort },
    { label: t('batchMode'), checked: modes.isBatch, run: modes.turnBatch },
  ];
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
      <Suspense
        fallback={
          <span className="icon-button" aria-hidden>
            <IconDots size={17} />
          </span>
        }
      >
        <WholeMenu first={isPhone ? switches : []} />
      </Suspense>
    </>
  );
};
