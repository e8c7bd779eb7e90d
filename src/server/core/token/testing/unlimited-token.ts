import { initialTokenSettings } from '../token.ts';
import type { NewToken } from '../token-store.ts';

/** Settings of a token that any address may use, for any model, without expiry. */
export const unlimitedToken: Omit<NewToken, 'userId' | 'name' | 'key' | 'createdAtMs'> = {
  ...initialTokenSettings,
  remainQuotaUnits: 0,
  unlimited: true,
};
