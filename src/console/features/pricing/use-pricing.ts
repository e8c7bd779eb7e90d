import { useEffect, useState } from 'react';
import { readPricing } from '#contract/api/wallet/pricing.ts';
import { callWhole } from '../../lib/server/api.ts';
import { useSession } from '../../lib/session/session.ts';
import type { PricedModel } from './priced-model.ts';

export interface Pricing {
  readonly models: readonly PricedModel[];
  readonly ratios: Readonly<Record<string, number>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The page is also for visitors, where the query client is not loaded. */
export const usePricing = () => {
  const user = useSession();
  const [pricing, setPricing] = useState<Pricing>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    callWhole(readPricing, {}, gone.signal)
      .then((answer) => {
        setError(undefined);
        setPricing({
          models: answer.data,
          ratios: answer['group_ratio'] as Pricing['ratios'],
          names: answer['usable_group'] as Pricing['names'],
        });
      })
      .catch((thrown: unknown) => !gone.signal.aborted && setError(thrown));
    return () => gone.abort();
  }, [user?.id, tries]);
  const retry = (): void => {
    setError(undefined);
    setTries(tries + 1);
  };
  return { pricing, error, retry };
};
