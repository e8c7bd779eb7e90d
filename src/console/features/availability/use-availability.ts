import { useEffect, useState } from 'react';
import { readAvailability } from '#contract/api/site/availability.ts';
import type { availabilitySpans } from '#contract/availability.ts';
import type { Data } from '#contract/endpoint.ts';
import { whileVisible } from '../../lib/browser/while-visible.ts';
import { call } from '../../lib/server/api.ts';

const EVERY_MS = 60_000;

/** The page is also for visitors, where the query client is not loaded. Pauses while the page is hidden. */
export const useAvailability = (span: (typeof availabilitySpans)[number]) => {
  const [data, setData] = useState<Data<typeof readAvailability>>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    const read = (): void => {
      call(readAvailability, { query: { span } }, gone.signal)
        .then((answer) => {
          setData(answer);
          setError(undefined);
        })
        .catch((thrown: unknown) => !gone.signal.aborted && setError(thrown));
    };
    read();
    const end = whileVisible(EVERY_MS, read);
    return () => {
      end();
      gone.abort();
    };
  }, [span, tries]);
  const retry = (): void => {
    setError(undefined);
    setTries(tries + 1);
  };
  // Data of another span is not shown for this one.
  return { data: data?.span === span ? data : undefined, error, retry };
};
