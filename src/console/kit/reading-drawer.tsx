import type { ReactNode } from 'react';
import { FormDrawer } from './form-drawer.tsx';

interface ReadingDrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: number;
  /** What is shown meanwhile, or why there is nothing to change. */
  readonly children: ReactNode;
}

/** Stands where the form will: what it begins with is still read, or could not be. */
export const ReadingDrawer = (props: ReadingDrawerProps) => (
  <FormDrawer {...props} isOpen onSubmit={() => undefined} isDirty={false} isSaving={false} isReading />
);
