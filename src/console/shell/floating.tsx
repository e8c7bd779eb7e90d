import { Suspense, useEffect, useState } from 'react';
import { late } from '../kit/late.tsx';
import { DialogHost } from '../kit/dialogs/dialog-host.tsx';
import { Toaster } from '../kit/overlays/toaster.tsx';
import { TooltipLayer } from '../kit/overlays/tooltip.tsx';
import { keepFocus } from '../kit/overlays/kept-focus.ts';
import { focusPageLater } from '../kit/overlays/use-focus-back.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { usePageName } from './frames/page-title.tsx';
import { withTexts } from '../lib/text/i18n.ts';
import { freshRequest } from '../lib/session/fresh.ts';
import { signInRequest } from '../lib/session/sign-in-again.ts';
import { useSignal } from '../lib/browser/signal.ts';

const FreshDialog = late(
  withTexts('fresh', () => import('./fresh-dialog.tsx')),
  ({ answer }) => answer(false),
);
const SignInDialog = late(
  withTexts('front', () => import('../features/login/sign-in-dialog.tsx')),
  ({ onGiveUp }) => onGiveUp(),
);

/**
 * Announces the page that a link opened: screen readers do not announce a changed title. If what had the focus went with the
 * page before, the new page gets it: a browser would go on somewhere in the frame.
 */
const PageSaid = () => {
  const name = usePageName();
  const [first, setFirst] = useState<string | undefined>(name);
  if (first !== undefined && first !== name) setFirst(undefined);
  useEffect(() => (first === undefined ? focusPageLater() : undefined), [first, name]);
  return (
    <p className="hidden-visually" role="status">
      {first === undefined && name}
    </p>
  );
};

/** Everything that floats above the pages. */
const Floating = () => {
  const fresh = useSignal(freshRequest);
  const again = useSignal(signInRequest);
  useEffect(keepFocus, []);
  return (
    <>
      <ConnectionBar />
      <Toaster />
      <PageSaid />
      <TooltipLayer />
      <DialogHost />
      <Suspense>{fresh !== undefined && <FreshDialog answer={fresh.answer} />}</Suspense>
      <Suspense>
        {again !== undefined && <SignInDialog owner={again.owner} onGiveUp={again.giveUp} />}
      </Suspense>
    </>
  );
};

export default Floating;
