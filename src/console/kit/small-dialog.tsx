import './form-drawer.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { MantineScope } from './mantine-scope.tsx';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';

interface SmallDialogProps {
  /** Its name for screen readers: what its heading says. */
  readonly label: string;
  readonly onClose: () => void;
  /** Which of two that are open lies above. */
  readonly layer: number;
  readonly children: ReactNode;
}

/** A question in the middle of the screen, above everything: heading, a sentence, buttons. */
export const SmallDialog = ({ label, onClose, layer, children }: SmallDialogProps) => {
  useFocusBack();
  useEscape(true, onClose);
  return (
    <MantineScope>
      <Modal.Root
        opened
        onClose={onClose}
        closeOnEscape={false}
        centered
        size={440}
        zIndex={layer}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label={label}>{children}</Modal.Content>
      </Modal.Root>
    </MantineScope>
  );
};
