import { useQuery } from '@tanstack/react-query';
import { listPasskeys } from '#contract/api/people/passkeys.ts';
import type { Data } from '#contract/endpoint.ts';
import { call } from '../../../lib/server/api.ts';

export type Passkey = Data<typeof listPasskeys>[number];

/** The query key. */
export const PASSKEYS = 'passkeys';

/** The own passkeys. */
export const usePasskeys = () => useQuery({ queryKey: [PASSKEYS], queryFn: () => call(listPasskeys) });
