import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listTopTokens, listTopUsers, readOwnUsage, readUsage } from '#contract/api/data.ts';
import { readSelf } from '#contract/api/session.ts';
import { call } from '../../lib/api.ts';
import { useSiteStatus } from '../../lib/site-status.ts';
import { type Span, spanBefore } from './usage-sums.ts';

export interface Whose {
  /** All users' usage for admins, else one's own. */
  readonly isAll: boolean;
  /** One user of all; empty for each. */
  readonly username: string;
}

const MINUTE_MS = 60_000;

/** How often the dashboard reads its numbers again: the site's interval. */
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
  // What is over does not change, so it is read once.
  const before = useQuery({ ...hoursOf(spanBefore(span)), staleTime: Infinity });
  const top = useQuery({
    ...common,
    queryKey: ['usage-top', isAll, span.from, span.to],
    queryFn: ({ signal }) => call(isAll ? listTopUsers : listTopTokens, { query }, signal),
  });
  const self = useQuery({ queryKey: ['self'], queryFn: ({ signal }) => call(readSelf, {}, signal) });
  return { hours, before, top, self };
};

const queryOf = ({ from, to }: Span) => ({ start_timestamp: from, end_timestamp: to });
