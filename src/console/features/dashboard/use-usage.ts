import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  listTopTokens,
  listTopUsers,
  readOwnUsage,
  readOwnUsageBy,
  readUsage,
  readUsageBy,
} from '#contract/api/logs/data.ts';
import { readSelf } from '#contract/api/people/session.ts';
import { call } from '../../lib/server/api.ts';
import { whileVisible } from '../../lib/browser/while-visible.ts';
import { onReturn } from '../../lib/server/connection.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import type { Split } from './splits.ts';
import { type Span, spanBefore } from './usage-sums.ts';

export interface Whose {
  /** All users' usage for admins, else one's own. */
  readonly isAll: boolean;
  /** One user of all; empty for each. */
  readonly username: string;
}

const MINUTE_MS = 60_000;

/** The reload interval of the dashboard, set by the site. */
export const useRefreshMs = (): number => (useSiteStatus()?.data_export_interval ?? 5) * MINUTE_MS;

/** The dashboard's data, reloaded at the site's interval. */
export const useUsage = (span: Span, { isAll, username }: Whose) => {
  const everyMs = useRefreshMs();
  const query = queryOf(span);
  const common = { placeholderData: keepPreviousData, refetchInterval: everyMs } as const;
  const hoursOf = (of: Span) => ({
    queryKey: ['usage', isAll, username, of.from, of.to],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      isAll
        ? call(readUsage, { query: { ...queryOf(of), username } }, signal)
        : call(readOwnUsage, { query: queryOf(of) }, signal),
  });
  const hours = useQuery({ ...common, ...hoursOf(span) });
  // Past ranges do not change, so they are loaded once.
  const before = useQuery({
    ...hoursOf(spanBefore(span)),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const top = useQuery({
    ...common,
    queryKey: ['usage-top', isAll, span.from, span.to],
    queryFn: ({ signal }) => call(isAll ? listTopUsers : listTopTokens, { query }, signal),
    meta: { isAside: true },
  });
  const self = useQuery({
    queryKey: ['self'],
    queryFn: ({ signal }) => call(readSelf, {}, signal),
    refetchInterval: everyMs,
    meta: { isAside: true },
  });
  return { hours, before, top, self };
};

/** The same by channel, user, token or program. Nothing is loaded for models, because `useUsage` has them. */
export const useSplitHours = (span: Span, { isAll, username }: Whose, split: Split) =>
  useQuery({
    queryKey: ['usage-by', split, isAll, username, span.from, span.to],
    queryFn: ({ signal }) =>
      isAll && split !== 'model'
        ? call(readUsageBy, { query: { ...queryOf(span), username, by: split } }, signal)
        : call(
            readOwnUsageBy,
            { query: { ...queryOf(span), by: split === 'program' ? split : 'token' } },
            signal,
          ),
    enabled: split !== 'model',
    refetchInterval: useRefreshMs(),
    // The previous data of another dimension is not shown under this one's name.
    placeholderData: (last, query) => (query?.queryKey[1] === split ? last : undefined),
  });

/** The time, in unix seconds, as of the last refresh or return to the page: the last days move on with it. */
export const useNowS = (): number => {
  const everyMs = useRefreshMs();
  const [nowS, setNowS] = useState(currentS);
  useEffect(() => {
    const tick = (): void => setNowS(currentS());
    const ends = [whileVisible(everyMs, tick), onReturn(tick)];
    return () => ends.forEach((end) => end());
  }, [everyMs]);
  return nowS;
};

const currentS = (): number => Math.floor(Date.now() / 1000);

const queryOf = ({ from, to }: Span) => ({ start_timestamp: from, end_timestamp: to });
