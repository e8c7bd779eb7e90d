import { MADE_PASSWORD_LENGTH } from '#contract/limits.ts';
import { logType, role } from '#contract/codes.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { CountStore } from '#core/limits/count-store.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { FactorStore } from '#core/user/factor-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface RescueDeps {
  readonly users: Pick<UserStore, 'ofRole' | 'setPasswordHash'>;
  readonly factors: Pick<FactorStore, 'remove'>;
  readonly sessions: Pick<Sessions, 'endAccessOf'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly optionStore: Pick<OptionStore, 'set'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly counts: Pick<CountStore, 'deleteEnded'>;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

/** The account and its new password, which is shown only this once. */
export interface Rescued {
  readonly username: string;
  readonly password: string;
}

/**
 * Restores access for the super admin: a new password, no second factor, no human check, guesses forgiven, all sessions
 * ended. For whoever runs the server; not reachable by network.
 * @returns undefined if there is no super admin yet
 */
export const createRescue = (deps: RescueDeps) => async (): Promise<Rescued | undefined> => {
  const [root] = await deps.users.ofRole(role.root);
  if (root === undefined) return undefined;
  const nowMs = deps.clock.now();
  const password = deps.random.alphanumeric(MADE_PASSWORD_LENGTH);
  await deps.users.setPasswordHash(root.id, await deps.passwords.hash(password));
  await deps.factors.remove(root.id);
  await deps.optionStore.set('TurnstileCheckEnabled', 'false', nowMs);
  await deps.refreshRouting();
  // Forgives all guesses, because the operator does not know which names and addresses were counted.
  await deps.counts.deleteEnded(Number.MAX_SAFE_INTEGER);
  await deps.sessions.endAccessOf(root.id);
  const { id: userId, username } = root;
  await deps.logs.append({
    createdAtMs: nowMs,
    type: logType.manage,
    userId,
    username,
    content: storedPhrase('log_rescue'),
  });
  return { username, password };
};
