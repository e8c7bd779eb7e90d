import '../drawers/form-drawer.css';
import './dialog.css';
import type { ReactNode } from 'react';
import { useIsPhone } from '../../lib/browser/media.ts';
import { DrawerHead } from '../drawers/drawer-head.tsx';
import { ModalFrame } from './modal-frame.tsx';

const DIALOG_LAYER = 300;

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: number;
  /** The address opens it: see ModalFrame. */
  readonly isInAddress?: boolean;
  /** Buttons at the foot, which does not scroll. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}

/** Focus starts where the dialog says, else in its first field, else at its title; never on the close button. */
const markFirstFocus = (box: HTMLElement | null): void => {
  if (box === null || box.querySelector('[data-autofocus]') !== null) return;
  const first = box.querySelector('.dialog-body :is(input, select, textarea):enabled, h2');
  first?.setAttribute('data-autofocus', '');
};

/** A dialog above the page; full screen on phones. Load it lazily. */
export const Dialog = ({ title, onClose, width = 640, foot, children, ...frame }: DialogProps) => {
  const isPhone = useIsPhone();
  return (
    <ModalFrame
      {...frame}
      label={title}
      onClose={onClose}
      width={width}
      layer={DIALOG_LAYER}
      isFullScreen={isPhone}
    >
      <div className="dialog" ref={markFirstFocus}>
        <DrawerHead title={title} onClose={onClose} />
        <div className="dialog-body">{children}</div>
        {foot !== undefined && foot !== false && <div className="drawer-foot dialog-foot">{foot}</div>}
      </div>
    </ModalFrame>
  );
};
