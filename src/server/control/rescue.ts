import { logType, role } from '#contract/codes.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { CountStore } from '#core/count-store.ts';
import { keptPhrase } from '#core/log/kept-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { FactorStore } from '#core/user/factor-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

const PASSWORD_LENGTH = 16;

export interface RescueDeps {
  readonly users: Pick<UserStore, 'ofRole' | 'setPasswordHash'>;
  readonly factors: Pick<FactorStore, 'remove'>;
  readonly sessions: Pick<Sessions, 'endAllOf'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly optionStore: Pick<OptionStore, 'set'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly counts: Pick<CountStore, 'deleteEnded'>;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Rescued {
  readonly username: string;
  readonly password: string;
}

/**
 * Lets the super admin in again: a new password, no second step, no human check, guesses forgiven, every session ended.
 * For whoever runs the server, where a key is wrong, a device lost or a password forgotten; never reachable by network.
 * @returns undefined where there is no super admin yet
 */
export const createRescue = (deps: RescueDeps) => async (): Promise<Rescued | undefined> => {
  const [root] = await deps.users.ofRole(role.root);
  if (root === undefined) return undefined;
  const nowMs = deps.clock.now();
  const password = deps.random.alphanumeric(PASSWORD_LENGTH);
  await deps.users.setPasswordHash(root.id, await deps.passwords.hash(password));
  await deps.factors.remove(root.id);
  await deps.optionStore.set('TurnstileCheckEnabled', 'false', nowMs);
  await deps.refreshRouting();
  // Of every name and address: whoever runs the server does not know from where it was tried.
  await deps.counts.deleteEnded(Number.MAX_SAFE_INTEGER);
  await deps.sessions.endAllOf(root.id);
  const { id: userId, username } = root;
  await deps.logs.append({
    createdAtMs: nowMs,
    type: logType.manage,
    userId,
    username,
    content: keptPhrase('log_rescue'),
  });
  return { username, password };
};
