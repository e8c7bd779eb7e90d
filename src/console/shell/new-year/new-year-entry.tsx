import { lazy, Suspense } from 'react';

const NewYear = lazy(() => import('./new-year.tsx'));

/** The day the console was opened. */
const today = new Date();
const isNewYearsDay = today.getMonth() === 0 && today.getDate() === 1;

/** A greeting on New Year's Day; nothing on other days. */
export const NewYearEntry = () =>
  isNewYearsDay && (
    <Suspense>
      <NewYear />
    </Suspense>
  );
