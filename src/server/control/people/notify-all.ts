import type { Log } from '#core/logging.ts';
import type { User } from '#core/user/user.ts';

/** Few enough for a mail server, and enough that a recipient who does not answer keeps nobody waiting. */
const AT_ONCE = 4;

/** Notifies several users. One whose webhook or mail fails is logged. */
export const notifyAll = async <Notice extends { readonly kind: string }>(
  deps: {
    readonly notify: (user: User, notice: Notice) => Promise<void>;
    readonly log: Pick<Log, 'warn'>;
  },
  users: readonly User[],
  notice: Notice,
): Promise<void> => {
  const left = users.values();
  const sendInTurn = async (): Promise<void> => {
    for (const user of left)
      await deps.notify(user, notice).catch((error: unknown) => {
        deps.log.warn('a notice was not delivered', { user: user.id, kind: notice.kind, error });
      });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
};
