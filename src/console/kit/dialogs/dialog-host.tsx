import { lazy, Suspense } from 'react';
import { freshRequest } from '../../lib/session/fresh.ts';
import { withTexts } from '../../lib/text/i18n.ts';
import { useSignal } from '../../lib/browser/signal.ts';
import { openedDialog } from './dialogs.ts';

const FreshDialog = lazy(withTexts('fresh', () => import('./fresh-dialog.tsx')));
const AskDialog = lazy(() => import('./ask-dialog.tsx'));

/** Shows the dialogs of `confirm` and of copying by hand. Mounted once in the root; loads its code on first use. */
export const DialogHost = () => {
  const opened = useSignal(openedDialog);
  const fresh = useSignal(freshRequest);
  return (
    <Suspense>
      {opened !== undefined && <AskDialog key={JSON.stringify(opened.request)} opened={opened} />}
      {fresh !== undefined && <FreshDialog answer={fresh.answer} />}
    </Suspense>
  );
};
