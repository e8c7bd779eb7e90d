import type { ReactNode } from 'react';
import { useEscape } from '../overlays/use-escape.ts';
import { DrawerFrame } from './drawer-frame.tsx';
import { DrawerHead } from './drawer-head.tsx';

interface SidePanelProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Actions at the foot. */
  readonly foot?: ReactNode;
  readonly width?: number;
  readonly children: ReactNode;
}

/** Something to read at the right edge; the whole screen on phones. Load it lazily. */
export const SidePanel = ({ title, onClose, foot, width = 620, children }: SidePanelProps) => {
  useEscape(onClose);
  return (
    <DrawerFrame title={title} onClose={onClose} width={width}>
      <div className="drawer">
        <DrawerHead title={title} onClose={onClose} isFirst />
        <div className="drawer-body">{children}</div>
        {foot !== undefined && foot !== null && <div className="drawer-foot drawer-foot-end">{foot}</div>}
      </div>
    </DrawerFrame>
  );
};
