import { lazy, Suspense } from 'react';
import { useSession } from '../../lib/session/session.ts';

const ConsoleFrame = lazy(() => import('./console-frame.tsx'));
const FrontFrame = lazy(() => import('./front-frame.tsx'));

/** The console's frame for signed-in users, the visitors' frame for others. */
const EitherFrame = () => {
  const isSignedIn = useSession() !== undefined;
  return <Suspense>{isSignedIn ? <ConsoleFrame /> : <FrontFrame />}</Suspense>;
};

export default EitherFrame;
