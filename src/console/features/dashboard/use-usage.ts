import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listTopTokens, listTopUsers, readOwnUsage, readUsage } from '#contract/api/data.ts';
import { readSelf } from '#contract/api/session.ts';
import { call } from '../../lib/api.ts';
import { useSiteStatus } from '../../lib/site-status.ts';
import type { Span } from './usage-sums.ts';

export interface Whose {
  /** All users' usage for admins, else one's own. */
  readonly isAll: boolean;
  /** One user of all; empty for each. */
  readonly username: string;
}

const MINUTE_MS = 60_000;

/** The dashboard's data, reloaded at the site's interval. */
export const useUsage = (span: Span, { isAll, username }: Whose) => {
  const everyMs = (useSiteStatus()?.data_export_interval ?? 5) * MINUTE_MS;
  const query = { start_timestamp: span.from, end_timestamp: span.to };
  const common = { placeholderData: keepPreviousData, refetchInterval: everyMs } as const;
  const hours = useQuery({
    ...common,
    queryKey: ['usage', isAll, username, span.from, span.to],
    queryFn: ({ signal }) =>
      isAll
        ? call(readUsage, { query: { ...query, username } }, signal)
        : call(readOwnUsage, { query }, signal),
  });
  const top = useQuery({
    ...common,
    queryKey: ['usage-top', isAll, span.from, span.to],
    queryFn: ({ signal }) => call(isAll ? listTopUsers : listTopTokens, { query }, signal),
  });
  const self = useQuery({ queryKey: ['self'], queryFn: ({ signal }) => call(readSelf, {}, signal) });
  return { hours, top, self };
};
