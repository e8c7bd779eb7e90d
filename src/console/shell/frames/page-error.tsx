import { useEffect } from 'react';
import { ErrorState } from '../../kit/states.tsx';
import { ApiError } from '../../lib/server/api-error.ts';
import { isReachable, noteSilence, onReturn } from '../../lib/server/connection.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { usePageName } from './page-title.tsx';

/** A missing chunk can only be loaded by reloading the page, which needs the server. */
const loadAgain = async (): Promise<void> => {
  if (await isReachable()) location.reload();
  else noteSilence();
};

/** What browsers say where code did not load, and Vite where a style sheet did not. */
const MISSING_PART = /imported module|module script|preload CSS/i;

/** Shown in place of a page that threw. */
export const PageError = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => {
  const name = usePageName();
  const { t } = useTranslation();
  const isPart = error instanceof Error && MISSING_PART.test(error.message);
  // What a program says of itself helps nobody; its page is broken until it is loaded anew.
  const isBroken = !(error instanceof ApiError) && !isPart;
  const isMissing = isPart || (error instanceof ApiError && error.status === 0);
  // Nobody waits at a page that could be there again.
  useEffect(() => (isMissing ? onReturn(() => void loadAgain()) : undefined), [isMissing]);
  return (
    <section className="page">
      <h1 className="hidden-visually">{name}</h1>
      <ErrorState
        error={isPart ? t('error.pageMissing') : isBroken ? t('error.page') : error}
        onRetry={isMissing || isBroken ? () => void loadAgain() : reset}
      />
    </section>
  );
};
