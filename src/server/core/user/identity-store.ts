import type { User } from './user.ts';
import type { WaysIn } from './ways-in.ts';

/** Services that can say who somebody is. */
export type IdentityService = 'github' | 'linuxdo' | 'wechat' | 'telegram' | 'oidc' | 'discord';

/** Who an account is elsewhere: its e-mail address and its names at other services. */
export interface IdentityStore {
  /** Deleted accounts are found too: whoever was deleted does not come back through another door. */
  byIdentity(service: IdentityService, id: string): Promise<User | undefined>;
  byEmail(email: string): Promise<User | undefined>;
  /** @returns `taken` when another account, deleted or not, has it */
  setIdentity(userId: number, service: IdentityService, id: string): Promise<'set' | 'taken' | 'missing'>;
  /** @returns `last` where nobody would get in any more: of two unbound at once, too */
  unbind(userId: number, service: IdentityService, ways: WaysIn): Promise<'unbound' | 'last' | 'missing'>;
  setEmail(userId: number, email: string): Promise<'set' | 'taken' | 'missing'>;
  setSetting(userId: number, setting: string): Promise<void>;
  /** Notes a warning of a low balance, unless one was noted after `notAfterMs`. @returns whether it may be sent */
  claimQuotaWarning(userId: number, nowMs: number, notAfterMs: number): Promise<boolean>;
  /** The warning claimed then was not delivered: it may be claimed again. */
  releaseQuotaWarning(userId: number, claimedAtMs: number): Promise<void>;
}
