import '../drawers/form-drawer.css';
import './dialog.css';
import type { ReactNode } from 'react';
import { useIsPhone } from '../../lib/browser/media.ts';
import { DrawerHead } from '../drawers/drawer-head.tsx';
import { ModalFrame } from './modal-frame.tsx';
import { askToDiscard, useUnloadGuard } from './use-leave-guard.ts';
import { useTyped } from './use-typed.ts';

const DIALOG_LAYER = 300;

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: number;
  /** The address opens it: see ModalFrame. */
  readonly isInAddress?: boolean;
  /** Whether there is more that closing would lose than a typed text, of which it knows itself; it then asks first. */
  readonly isDirty?: boolean;
  /** What is typed here is only a question, or is kept when it closes. */
  readonly losesNothing?: boolean;
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

/** Asks before what is typed is lost. */
const useAskedClose = (mustAsk: () => boolean, onClose: () => void): (() => void) => {
  useUnloadGuard(mustAsk);
  return () => {
    if (!mustAsk()) return onClose();
    void askToDiscard().then((isAgreed) => {
      if (isAgreed) onClose();
    });
  };
};

/** A dialog above the page; full screen on phones. Load it lazily. */
export const Dialog = ({
  title,
  onClose,
  width = 640,
  foot,
  isDirty = false,
  losesNothing = false,
  children,
  ...frame
}: DialogProps) => {
  const isPhone = useIsPhone();
  const { isTyped, isTypedNow, listeners } = useTyped();
  const close = useAskedClose(() => isDirty || (!losesNothing && isTypedNow()), onClose);
  return (
    <ModalFrame
      {...frame}
      isDirty={isDirty || (!losesNothing && isTyped)}
      label={title}
      onClose={close}
      width={width}
      layer={DIALOG_LAYER}
      isFullScreen={isPhone}
    >
      <div className="dialog" ref={markFirstFocus} {...listeners}>
        <DrawerHead title={title} onClose={close} />
        <div className="dialog-body">{children}</div>
        {foot !== undefined && foot !== false && <div className="drawer-foot dialog-foot">{foot}</div>}
      </div>
    </ModalFrame>
  );
};
