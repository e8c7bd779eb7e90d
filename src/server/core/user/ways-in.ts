import type { IdentityService } from './identity-store.ts';

/** Which ways in count for somebody, as the site is set: what it has switched off is none. */
export interface WaysIn {
  readonly password: boolean;
  readonly passkeys: boolean;
  readonly services: readonly IdentityService[];
}
