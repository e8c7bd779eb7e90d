import type { NewToken } from '../token-store.ts';

/** What a token is wished for that may be used by anybody, for anything, for ever. */
export const unlimitedToken: Omit<NewToken, 'userId' | 'name' | 'key' | 'createdAtMs'> = {
  expiresAtMs: null,
  remainQuotaUnits: 0,
  unlimited: true,
  modelLimitsEnabled: false,
  modelLimits: [],
  allowIps: '',
  group: '',
};
