import { logType } from '#contract/codes.ts';
import type { Clock } from '#core/clock.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { User } from '#core/user/user.ts';

interface LogDeps {
  readonly logs: Pick<LogStore, 'append'>;
  readonly clock: Clock;
}

/** Under whose name it is logged. */
export type Doer = Pick<User, 'id' | 'username'>;

/** Logs what somebody did to the site, under their name. */
export const logAction = (
  { logs, clock }: LogDeps,
  { id: userId, username }: Doer,
  content: string,
): Promise<void> =>
  logs.append({ createdAtMs: clock.now(), type: logType.manage, userId, username, content });
