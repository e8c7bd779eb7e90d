import type { ServiceName } from '#contract/sign-in-services.ts';
import type { User } from './user.ts';
import type { WaysIn } from './ways-in.ts';

/** Stores an account's e-mail address and its identities at other services. */
export interface IdentityStore {
  /** Includes deleted accounts, so that a deleted user cannot come back through another sign-in. */
  byIdentity(service: ServiceName, id: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  /** @returns `taken` if another account, deleted or not, has it */
  setIdentity(userId: number, service: ServiceName, id: string): Promise<'set' | 'taken' | 'missing'>;
  /** @returns `last` if no way to sign in would remain, even if two are unbound at once */
  unbind(userId: number, service: ServiceName, ways: WaysIn): Promise<'unbound' | 'last' | 'missing'>;
  setEmail(userId: number, email: string): Promise<'set' | 'taken' | 'missing'>;
  /**
   * Computes the new text from the stored one, so that no concurrent change is lost. If `change` throws, nothing
   * changes.
   */
  changeSetting(userId: number, change: (setting: string) => string): Promise<void>;
  /** Records a low-balance warning, unless one was recorded after `notAfterMs`. @returns whether to send it */
  claimQuotaWarning(userId: number, nowMs: number, notAfterMs: number): Promise<boolean>;
  /** Allows the warning again, because this one could not be delivered. */
  releaseQuotaWarning(userId: number, claimedAtMs: number): Promise<void>;
}
