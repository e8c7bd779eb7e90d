import { IconLogout, IconSettings, IconWallet } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { initialOf } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { role } from '#contract/codes.ts';
import { Menu } from '../../kit/overlays/menu.tsx';
import { useSession, type SessionUser } from '../../lib/session/session.ts';
import { signOut } from './sign-out.ts';

/** The menu of the signed-in user: name, own pages, sign-out. */
const UserMenu = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const user = useSession();
  if (user === undefined) return null;

  const initial = initialOf(user.display_name || user.username);
  return (
    <Menu
      label={t('shell.account', { name: user.username })}
      className="avatar"
      tip={false}
      head={<UserHead user={user} />}
      items={() => [
        {
          label: t('page.settings'),
          icon: <IconSettings size={16} />,
          run: () => void navigate({ to: '/setting' }),
        },
        {
          label: t('page.topup'),
          icon: <IconWallet size={16} />,
          run: () => void navigate({ to: '/topup' }),
        },
        {
          label: t('shell.logout'),
          icon: <IconLogout size={16} />,
          parted: true,
          run: () => void signOut(() => navigate({ to: '/login', ignoreBlocker: true })),
        },
      ]}
    >
      {initial}
    </Menu>
  );
};

const UserHead = ({ user }: { readonly user: SessionUser }) => {
  const { t } = useTranslation();
  const rank = user.role >= role.root ? 'root' : user.role >= role.admin ? 'admin' : 'user';
  const isNamed = user.display_name !== '' && user.display_name !== user.username;
  return (
    <>
      <div className="truncate">{user.display_name || user.username}</div>
      <div className="meta">
        {isNamed && `${user.username} · `}
        {t(`role.${rank}`)} · {user.group}
      </div>
    </>
  );
};

export default UserMenu;
