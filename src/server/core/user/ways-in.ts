import type { ServiceName } from '#contract/sign-in-services.ts';

/** Which ways to sign in the site currently allows. */
export interface WaysIn {
  readonly password: boolean;
  readonly passkeys: boolean;
  readonly services: readonly ServiceName[];
}
