import {
  IconArrowDown,
  IconArrowUp,
  IconCoins,
  IconFileText,
  IconKeyOff,
  IconPlayerPlay,
  IconPlayerStop,
  IconReceipt2,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { UserAction } from '#contract/may.ts';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import type { MenuItem } from '../../kit/overlays/menu-list.tsx';
import { t as say, textsOf, useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { useSession } from '../../lib/session/session.ts';
import { manage, resetProofs, type Switch } from './user-calls.ts';
import { mayDo, mayEnable, stateOf, USERS, type User } from './user.ts';

const SIZE = 16;

/** Asks before what an account feels at once. */
export const askFirst = (
  user: User,
  action: 'promote' | 'demote' | 'disable' | 'delete',
): Promise<boolean> => {
  const t = textsOf('users');
  return confirm({
    title: t(`ask.${action}.title`, { name: user.username }),
    text: t(`ask.${action}.text`),
    action: t(`action.${action}`),
    danger: action !== 'promote',
    ...(action === 'delete' ? { typed: user.username } : {}),
  });
};

/** The actions for one account except editing, without those that the rank rules refuse. */
export const useUserMenu = (onQuota: (user: User) => void): ((user: User) => readonly MenuItem[]) => {
  const { t } = useTranslation('users');
  const actor = useSession();
  const navigate = useNavigate();
  const act = useAction({
    run: ({ user, action }: { user: User; action: Switch }) => manage(user, action),
    done: t('done'),
    refresh: [USERS],
  });
  const reset = useAction({ run: resetProofs, done: t('ask.resetTwoStep.done'), refresh: [USERS] });
  const askReset = async (user: User): Promise<void> => {
    const agreed = await confirm({
      title: t('ask.resetTwoStep.title', { name: user.username }),
      text: t('ask.resetTwoStep.text'),
      action: t('action.resetTwoStep'),
      danger: true,
    });
    if (agreed) reset.mutate(user);
  };
  const ask = async (user: User, action: Parameters<typeof askFirst>[1]): Promise<void> => {
    if (await askFirst(user, action)) act.mutate({ user, action });
  };
  return (user) => {
    const entry = (action: UserAction, item: Omit<MenuItem, 'disabled'>): MenuItem => ({
      ...item,
      disabled: !mayDo(actor, action, user),
    });
    const banOrNot =
      stateOf(user) === 'enabled'
        ? entry('disable', {
            label: t('action.disable'),
            icon: <IconPlayerStop size={SIZE} />,
            run: () => void ask(user, 'disable'),
          })
        : {
            label: t('action.enable'),
            icon: <IconPlayerPlay size={SIZE} />,
            disabled: !mayEnable(actor, user),
            run: () => act.mutate({ user, action: 'enable' }),
          };
    return [
      entry('add_quota', {
        label: t('action.addQuota'),
        icon: <IconCoins size={SIZE} />,
        run: () => onQuota(user),
      }),
      // Who may change a balance may also read it.
      entry('add_quota', {
        label: t('action.statements'),
        icon: <IconReceipt2 size={SIZE} />,
        run: () => void navigate({ to: '/statements', search: { user: String(user.id) } }),
      }),
      {
        label: say('page.logs'),
        icon: <IconFileText size={SIZE} />,
        run: () => void navigate({ to: '/log', search: { username: user.username } }),
      },
      entry('promote', {
        label: t('action.promote'),
        icon: <IconArrowUp size={SIZE} />,
        parted: true,
        run: () => void ask(user, 'promote'),
      }),
      entry('demote', {
        label: t('action.demote'),
        icon: <IconArrowDown size={SIZE} />,
        run: () => void ask(user, 'demote'),
      }),
      banOrNot,
      entry('reset_two_step', {
        label: t('action.resetTwoStep'),
        icon: <IconKeyOff size={SIZE} />,
        run: () => void askReset(user),
      }),
      entry('delete', {
        label: t('action.delete'),
        icon: <IconTrash size={SIZE} />,
        danger: true,
        parted: true,
        run: () => void ask(user, 'delete'),
      }),
    ];
  };
};
