import { byService } from '#contract/sign-in-services.ts';
import type { User } from '../user.ts';

/** An ordinary user of group `default`, with no balance. */
export const userOf = (changes: Partial<User> = {}): User => ({
  id: 1,
  username: 'ada',
  displayName: 'Ada',
  email: '',
  role: 1,
  status: 1,
  group: 'default',
  quotaUnits: 0,
  usedQuotaUnits: 0,
  requestCount: 0,
  affCode: '',
  affCount: 0,
  affQuotaUnits: 0,
  affHistoryQuotaUnits: 0,
  heldUnits: 0,
  inviterId: 0,
  identities: byService('field', () => ''),
  setting: '',
  deletedAtMs: null,
  ...changes,
});
