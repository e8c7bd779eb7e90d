import { IconDots } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Menu } from '../../kit/overlays/menu.tsx';
import { useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { menuIcons } from './menu-icons.ts';
import { isUnder, menuFor } from '../../routes.ts';

const MAX_TABS = 5;

/** The menu on phones: the first pages as tabs, the others behind "more". */
export const BottomTabs = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const rows = menuFor(useSession(), useSiteStatus());
  if (rows.length === 0) return null;
  const shown = rows.length > MAX_TABS ? rows.slice(0, MAX_TABS - 1) : rows;
  const rest = rows.slice(shown.length);
  return (
    <nav className="tabs" aria-label={t('shell.workspace')}>
      {shown.map((row) => {
        const Icon = menuIcons[row.key];
        return (
          <Link key={row.path} to={row.path} className={isUnder(row, path) ? 'tab active' : 'tab'}>
            {Icon !== undefined && <Icon size={21} stroke={1.6} />}
            <span>{t(`page.${row.key}`)}</span>
          </Link>
        );
      })}
      {rest.length > 0 && (
        <Menu
          label={t('shell.more')}
          className={rest.some((row) => row.path === path || isUnder(row, path)) ? 'tab active' : 'tab'}
          tip={false}
          items={() =>
            rest.map((row) => ({ label: t(`page.${row.key}`), run: () => void navigate({ to: row.path }) }))
          }
        >
          <IconDots size={21} stroke={1.6} />
          <span>{t('shell.more')}</span>
        </Menu>
      )}
    </nav>
  );
};
