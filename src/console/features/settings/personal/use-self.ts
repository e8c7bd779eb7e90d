import { useQuery } from '@tanstack/react-query';
import { readSelf } from '#contract/api/people/session.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../../lib/server/api.ts';

/** The own account as the server has it now. */
export type Self = Data<typeof readSelf>;

/** The query key. */
export const SELF = 'self';

export const useSelf = () =>
  useQuery({ queryKey: [SELF], queryFn: ({ signal }) => call(readSelf, {}, signal), staleTime: 0 });
