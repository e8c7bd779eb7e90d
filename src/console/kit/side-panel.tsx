import './form-drawer.css';
import { Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { useIsPhone } from '../lib/media.ts';
import { IconButton } from './button.tsx';
import { MantineScope } from './mantine-scope.tsx';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';

interface SidePanelProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Actions at the foot. */
  readonly foot?: ReactNode;
  readonly width?: number;
  readonly children: ReactNode;
}

/** Something to read at the right edge; the whole screen on phones. Load it lazily: it brings Mantine. */
export const SidePanel = ({ title, onClose, foot, width = 620, children }: SidePanelProps) => {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  useFocusBack();
  useEscape(true, onClose);
  return (
    <MantineScope>
      <Drawer.Root
        opened
        onClose={onClose}
        closeOnEscape={false}
        position="right"
        size={isPhone ? '100%' : width}
        transitionProps={{ duration: 140 }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={title} radius={0}>
          <div className="drawer">
            <div className="drawer-head">
              <h2 className="truncate" tabIndex={-1} data-autofocus>
                {title}
              </h2>
              <IconButton label={t('action.close')} onClick={onClose}>
                <IconX size={18} />
              </IconButton>
            </div>
            <div className="drawer-body">{children}</div>
            {foot !== undefined && foot !== null && <div className="drawer-foot drawer-foot-end">{foot}</div>}
          </div>
        </Drawer.Content>
      </Drawer.Root>
    </MantineScope>
  );
};
