import type { ReactNode } from 'react';
import { FormDrawer } from './form-drawer.tsx';

interface ReadingDrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly width?: number;
  /** The loading state, or the error. */
  readonly children: ReactNode;
}

/** The drawer while its row is loading, or if loading failed. */
export const ReadingDrawer = (props: ReadingDrawerProps) => (
  <FormDrawer {...props} onSubmit={() => undefined} isDirty={false} isSaving={false} isReading />
);
