import { type ComponentType, lazy, Suspense } from 'react';
import { useSignal } from '../../lib/browser/signal.ts';
import { openedDialog, type OpenDialog } from './dialogs.ts';

const load = (): Promise<{ default: ComponentType<{ readonly opened: OpenDialog }> }> =>
  import('./ask-dialog.tsx').catch(() => import('./native-ask.tsx'));
const AskDialog = lazy(load);

/** Shows the dialogs of `confirm` and of copying by hand. Mounted once in the root; loads its code on first use. */
export const DialogHost = () => {
  const opened = useSignal(openedDialog);
  return (
    <Suspense>
      {opened !== undefined && <AskDialog key={JSON.stringify(opened.request)} opened={opened} />}
    </Suspense>
  );
};
