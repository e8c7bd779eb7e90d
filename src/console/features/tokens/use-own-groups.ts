import { useQuery } from '@tanstack/react-query';
import { ownGroups } from '#contract/api/people/session.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../lib/server/api.ts';

export type OwnGroups = Data<typeof ownGroups>;

const none: OwnGroups = {};

/** The groups the user may choose for a token, by name, with description and price ratio. */
export const useOwnGroups = (): { readonly groups: OwnGroups; readonly isLoading: boolean } => {
  const query = useQuery({
    queryKey: ['own-groups'],
    queryFn: () => call(ownGroups),
    staleTime: 60_000,
    meta: { isAside: true },
  });
  return { groups: query.data ?? none, isLoading: query.isLoading };
};
