import { ErrorState } from '../kit/states.tsx';
import { ApiError } from '../lib/api-error.ts';
import { isReachable, noteSilence } from '../lib/connection.ts';
import { usePageName } from './page-title.tsx';

/** A part that never came comes only with the page; without a server a reload would lose even this one. */
const loadAgain = async (): Promise<void> => {
  if (await isReachable()) location.reload();
  else noteSilence();
};

/** Shown in place of a page that threw. */
export const PageError = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => {
  const name = usePageName();
  const isMissing = error instanceof ApiError && error.status === 0;
  return (
    <section className="page">
      <h1 className="hidden-visually">{name}</h1>
      <ErrorState error={error} onRetry={isMissing ? () => void loadAgain() : reset} />
    </section>
  );
};
