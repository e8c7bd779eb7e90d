import './form-drawer.css';
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useIsPhone } from '../../lib/browser/media.ts';
import { DrawerHead } from './drawer-head.tsx';
import { MantineScope } from '../mantine-scope.tsx';
import { TopLayer } from '../overlays/top-layer.tsx';
import { useEscape } from '../overlays/use-escape.ts';
import { useFocusBack } from '../overlays/use-focus-back.ts';
import { useToastsBeside } from './use-toasts-beside.ts';

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
  const isPhone = useIsPhone();
  useFocusBack();
  useToastsBeside();
  useEscape(true, onClose);
  return (
    <MantineScope>
      <TopLayer>
        <Drawer.Root
          withinPortal={false}

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
              <DrawerHead title={title} onClose={onClose} isFirst />
              <div className="drawer-body">{children}</div>
              {foot !== undefined && foot !== null && (
                <div className="drawer-foot drawer-foot-end">{foot}</div>
              )}
            </div>
          </Drawer.Content>
        </Drawer.Root>
      </TopLayer>
    </MantineScope>
  );
};
