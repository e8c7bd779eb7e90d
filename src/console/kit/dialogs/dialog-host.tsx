import { lazy, Suspense } from 'react';
import { useSignal } from '../../lib/browser/signal.ts';
import { openedDialog } from './dialogs.ts';

const AskDialog = lazy(() => import('./ask-dialog.tsx'));

/** Shows the dialogs of `confirm` and of copying by hand. Mounted once in the root; loads its code on first use. */
export const DialogHost = () => {
  const opened = useSignal(openedDialog);
  return (
    <Suspense>
      {opened !== undefined && <AskDialog key={JSON.stringify(opened.request)} opened={opened} />}
    </Suspense>
  );
};
