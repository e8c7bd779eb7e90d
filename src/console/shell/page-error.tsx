import { ErrorState } from '../kit/states.tsx';

/** Shown in place of a page that threw. */
export const PageError = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => (
  <section className="page">
    <ErrorState error={error} onRetry={reset} />
  </section>
);
