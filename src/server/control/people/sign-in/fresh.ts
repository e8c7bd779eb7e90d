import type { Actor } from '../identity.ts';
import { sayError } from '../../refuse.ts';

/**
 * Guards dangerous operations: throws unless the caller signed in, or confirmed their identity, within ten minutes.
 * Access tokens cannot do that, so scripts are excluded.
 */
export const requireFresh = (actor: Pick<Actor, 'freshUntilMs' | 'via'>, nowMs: number): void => {
  requireSession(actor);
  if (actor.freshUntilMs <= nowMs) throw sayError('forbidden', 'fresh_password_needed');
};

/** Throws for an access token, whatever proof comes with it. */
export const requireSession = ({ via }: Pick<Actor, 'via'>): void => {
  if (via === 'access-token') throw sayError('forbidden', 'session_needed');
};
