import type { Actor } from './identity.ts';
import { sayError } from './refuse.ts';

/**
 * For what is dangerous: throws unless the caller proved within ten minutes who it is, by signing in or by the call
 * that confirms it. Access tokens cannot, so programs are kept from it.
 */
export const requireFresh = (actor: Pick<Actor, 'freshUntilMs' | 'via'>, nowMs: number): void => {
  if (actor.via === 'access-token') throw sayError('forbidden', 'session_needed');
  if (actor.freshUntilMs <= nowMs) throw sayError('forbidden', 'fresh_password_needed');
};
