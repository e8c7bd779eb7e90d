import { lazy, Suspense } from 'react';
import { DialogHost } from '../kit/dialogs/dialog-host.tsx';
import { Toaster } from '../kit/overlays/toaster.tsx';
import { TooltipLayer } from '../kit/overlays/tooltip.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { withTexts } from '../lib/text/i18n.ts';
import { signInRequest } from '../lib/session/sign-in-again.ts';
import { useSignal } from '../lib/browser/signal.ts';

const SignInDialog = lazy(withTexts('front', () => import('../features/login/sign-in-dialog.tsx')));

/** Everything that floats above the pages. */
const Floating = () => {
  const again = useSignal(signInRequest);
  return (
    <>
      <ConnectionBar />
      <Toaster />
      <TooltipLayer />
      <DialogHost />
      {again !== undefined && (
        <Suspense>
          <SignInDialog owner={again.owner} onGiveUp={again.giveUp} />
        </Suspense>
      )}
    </>
  );
};

export default Floating;
