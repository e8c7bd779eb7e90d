import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listChannels } from '#contract/api/channels/channels.ts';
import { listUnpriced } from '#contract/api/wallet/pricing.ts';
import { readSelf } from '#contract/api/people/session.ts';
import { listTokens } from '#contract/api/people/tokens.ts';
import { call } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/query.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';

/** The steps from a new account to its first answered call, in order. */
export type Step = 'channel' | 'price' | 'quota' | 'token' | 'call';

export interface Steps {
  readonly steps: readonly { readonly step: Step; readonly isDone: boolean }[];
  /** Models that are served but cannot be called. */
  readonly unpriced: readonly string[];
}

const AGAIN_AFTER_MS = 5000;
const OWN = 'first-steps';

/** What shows that a step is done. */
const shownBy = {
  channel: ['channels'],
  price: ['model-prices'],
  quota: ['self'],
  token: ['tokens'],
  // A call is counted for the account and for its token.
  call: ['tokens', 'self'],
} as const satisfies Readonly<Record<Step, readonly string[]>>;

/** While the page is seen, asks again for what shows that the next step is done, and for nothing else. */
const useAskAgain = (next: Step | undefined): void =>
  useEffect(() => {
    if (next === undefined) return undefined;
    const lists: readonly unknown[] = shownBy[next];
    const isOwn = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
      lists.includes(queryKey[0]) && queryKey.at(-1) === OWN;
    const timer = setInterval(() => {
      if (!document.hidden) void queryClient.refetchQueries({ predicate: isOwn, type: 'active' });
    }, AGAIN_AFTER_MS);
    return () => clearInterval(timer);
  }, [next]);

/** The account's progress; undefined until known. What the next step waits for is asked for again. */
export const useFirstSteps = (isAdmin: boolean): Steps | undefined => {
  const isSelfUse = useSiteStatus()?.self_use_mode_enabled === true;
  // The query keys begin with those of the lists, so that adding a row there reloads this.
  const ask = <Answer>(
    key: readonly string[],
    from: (signal: AbortSignal) => Promise<Answer>,
    on = true,
  ) => ({
    queryKey: [...key, OWN],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => from(signal),
    retry: false,
    enabled: on,
  });
  const one = { query: { p: 1, page_size: 1 } };
  const channels = useQuery(
    ask(['channels'], (signal) => call(listChannels, one, signal), isAdmin),
    queryClient,
  );
  const unpriced = useQuery(
    {
      // Requested again for a new channel: before that it is unknown whether its models have prices.
      ...ask(['model-prices', String(channels.data?.total)], (signal) => call(listUnpriced, {}, signal)),
      enabled: channels.data !== undefined,
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
  const tokens = useQuery(
    ask(['tokens'], (signal) => call(listTokens, { query: { p: 1, page_size: 20, sort: '-used' } }, signal)),
    queryClient,
  );
  const self = useQuery(
    ask(['self'], (signal) => call(readSelf, {}, signal)),
    queryClient,
  );
  const isKnown = (query: { readonly data?: unknown }): boolean => query.data !== undefined;
  const areKnown = isKnown(tokens) && isKnown(self) && (!isAdmin || (isKnown(channels) && isKnown(unpriced)));
  const hasChannel = (channels.data?.total ?? 0) > 0;
  const names = isSelfUse ? [] : (unpriced.data ?? []);
  const hasCalled = (self.data?.request_count ?? 0) > 0;
  // Tests of channels and the playground are calls of the account, too, but of no program: those have a token.
  const hasUsedToken = tokens.data?.items.some(
    ({ used_quota, accessed_time, created_time }) => used_quota > 0 || accessed_time > created_time,
  );
  const own = [
    { step: 'token', isDone: (tokens.data?.total ?? 0) > 0 },
    { step: 'call', isDone: hasCalled && hasUsedToken === true },
  ] as const;
  const site = [
    { step: 'channel', isDone: hasChannel },
    { step: 'price', isDone: hasChannel && !unpriced.isPlaceholderData && names.length === 0 },
  ] as const;
  // Without this step, an account without quota would be led to a refused call.
  const balance = { step: 'quota', isDone: hasCalled || (self.data?.quota ?? 0) > 0 } as const;
  const steps = isAdmin ? [...site, ...own] : [balance, ...own];
  const next = steps.find(({ isDone }) => !isDone)?.step;
  useAskAgain(areKnown ? next : undefined);
  return areKnown ? { steps, unpriced: names } : undefined;
};
