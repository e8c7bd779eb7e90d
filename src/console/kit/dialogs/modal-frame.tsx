import '../drawers/form-drawer.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { MantineScope } from '../mantine-scope.tsx';
import { useEscape } from '../overlays/use-escape.ts';
import { useFocusBack } from '../overlays/use-focus-back.ts';

interface ModalFrameProps {
  /** Its name for screen readers: what its heading says. */
  readonly label: string;
  readonly onClose: () => void;
  readonly width: number;
  /** Which of two that are open lies above. */
  readonly layer: number;
  readonly isFullScreen?: boolean;
  readonly children: ReactNode;
}

/** What every dialog is in: it closes with Escape, and gives the focus back to where it was. */
export const ModalFrame = ({
  label,
  onClose,
  width,
  layer,
  isFullScreen = false,
  children,
}: ModalFrameProps) => {
  useFocusBack();
  useEscape(true, onClose);
  return (
    <MantineScope>
      <Modal.Root
        opened
        onClose={onClose}
        closeOnEscape={false}
        centered
        size={width}
        fullScreen={isFullScreen}
        zIndex={layer}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label={label}>{children}</Modal.Content>
      </Modal.Root>
    </MantineScope>
  );
};
