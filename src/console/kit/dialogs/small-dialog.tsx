import type { ReactNode } from 'react';
import { ModalFrame } from './modal-frame.tsx';

interface SmallDialogProps {
  /** Its name for screen readers: what its heading says. */
  readonly label: string;
  readonly onClose: () => void;
  /** Which of two that are open lies above. */
  readonly layer: number;
  readonly children: ReactNode;
}

/** A question in the middle of the screen, above everything: heading, a sentence, buttons. */
export const SmallDialog = (props: SmallDialogProps) => <ModalFrame width={440} {...props} />;
