import type { ServiceName } from '#contract/sign-in-services.ts';

/** The ways to sign in that the site currently allows. */
export interface WaysIn {
  readonly password: boolean;
  readonly passkeys: boolean;
  readonly services: readonly ServiceName[];
}
