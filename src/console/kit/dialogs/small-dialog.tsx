import type { ReactNode } from 'react';
import { ModalFrame } from './modal-frame.tsx';

interface SmallDialogProps {
  /** Its name for screen readers: the text of its heading. */
  readonly label: string;
  readonly onClose: () => void;
  /** Of two open ones, the higher layer is on top. */
  readonly layer: number;
  readonly children: ReactNode;
}

/** A question in the middle of the screen, above everything: heading, a sentence, buttons. */
export const SmallDialog = (props: SmallDialogProps) => <ModalFrame width={440} {...props} />;
