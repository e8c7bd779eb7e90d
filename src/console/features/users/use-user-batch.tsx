import { type ReactNode, Suspense, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import { useBatch } from '../../kit/tables/batch-progress.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../lib/toasts.ts';
import { addQuota, manage, moveToGroup } from './user-calls.ts';
import { mayDoMany, type ManyAction, USERS, type User } from './user.ts';

const GroupDialog = late(() => import('./group-dialog.tsx'));
const GrantDialog = late(() => import('./grant-dialog.tsx'));

const named = { nameOf: (user: User) => user.username, refresh: USERS };

/** The rows that an action applies to, and how many of the selected are left out. */
interface Chosen {
  readonly action: ManyAction;
  readonly users: readonly User[];
  readonly leftOut: number;
}

interface UserBatch {
  /** The buttons for the chosen rows. */
  readonly buttons: (rows: readonly User[], clear: () => void) => ReactNode;
  /** The progress, and the dialogs before it. */
  readonly view: ReactNode;
}

/** Actions on many accounts: one call for each, and a list of those that were refused. */
export const useUserBatch = (): UserBatch => {
  const { t } = useTranslation('users');
  const actor = useSession();
  const batch = useBatch();
  const [asked, setAsked] = useState<Chosen>();

  const run = (action: ManyAction, items: readonly User[], act: (user: User) => Promise<unknown>) =>
    batch.run({
      ...named,
      items,
      act,
      title: t(`many.${action}.doing`),
      done: t(`many.${action}.done`, { count: items.length }),
    });
  const askSure = async ({ action, users, leftOut }: Chosen): Promise<void> => {
    if (action !== 'disable' && action !== 'delete') return;
    const count = users.length;
    const agreed = await confirm({
      title: t(`many.${action}.title`, { count }),
      text: [t(`many.${action}.text`), leftOutText(t, leftOut)].join(' ').trim(),
      action: t(`action.${action}`),
      danger: true,
      ...(action === 'delete' ? { typed: String(count) } : {}),
    });
    if (agreed) await run(action, users, (user) => manage(user, action));
  };
  const start = (action: ManyAction, rows: readonly User[], clear: () => void): void => {
    const users = rows.filter((user) => mayDoMany(actor, action, user));
    if (users.length === 0) return toast('bad', t('many.none'));
    clear();
    const chosen = { action, users, leftOut: rows.length - users.length };
    if (action === 'enable') void run(action, users, (user) => manage(user, action));
    else if (action === 'group' || action === 'quota') setAsked(chosen);
    else void askSure(chosen);
  };
  const close = (): void => setAsked(undefined);
  return {
    view: (
      <>
        {batch.view}
        <Suspense>
          {asked?.action === 'group' && (
            <GroupDialog
              count={asked.users.length}
              note={leftOutText(t, asked.leftOut)}
              onClose={close}
              onDone={(group) => void run('group', asked.users, (user) => moveToGroup(user, group))}
            />
          )}
          {asked?.action === 'quota' && (
            <GrantDialog
              count={asked.users.length}
              note={leftOutText(t, asked.leftOut)}
              onClose={close}
              onDone={(units, reason) =>
                void run('quota', asked.users, (user) => addQuota(user.id, units, reason))
              }
            />
          )}
        </Suspense>
      </>
    ),
    buttons: (rows, clear) =>
      (['enable', 'disable', 'group', 'quota', 'delete'] as const).map((action) => (
        <BatchButton key={action} danger={action === 'delete'} onClick={() => start(action, rows, clear)}>
          {t(`many.${action}.button`)}
        </BatchButton>
      )),
  };
};

const leftOutText = (t: ReturnType<typeof useTranslation<'users'>>['t'], leftOut: number): string =>
  leftOut === 0 ? '' : t('many.leftOut', { count: leftOut });
