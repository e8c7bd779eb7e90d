import { lazy, Suspense } from 'react';

const NewYear = lazy(() => import('./new-year.tsx'));

/** The day the console was opened. */
const today = new Date();
const isNewYearsDay = today.getMonth() === 0 && today.getDate() === 1;

/** On one day of the year a greeting, on every other nothing. */
export const NewYearEntry = () =>
  isNewYearsDay && (
    <Suspense>
      <NewYear />
    </Suspense>
  );
