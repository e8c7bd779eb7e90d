import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Suspense } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { late } from '../../kit/late.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { menuIcons } from './menu-icons.ts';
import { isUnder, menuFor, type PageRow } from '../../routes.ts';

const ChatLinks = late(() => import('./chat-links.tsx'));
const ProblemBadge = late(() => import('./problem-badge.tsx'));

const groups = ['workspace', 'admin'] as const;

/** The menu of the console: two groups of pages; only icons while collapsed. */
export const SideMenu = ({
  isCollapsed,
  onToggle,
}: {
  readonly isCollapsed: boolean;
  /** Collapses or expands the menu, if it can be. */
  readonly onToggle?: () => void;
}) => {
  const { t } = useTranslation();
  const rows = menuFor(useSession(), useSiteStatus());
  const hasChats = (useSiteStatus()?.chats.length ?? 0) > 0;
  return (
    <>
      <nav className="side-menu" aria-label={t('shell.menu')}>
        {groups.map((group) => {
          const entries = rows.filter((row) => row.menu?.group === group);
          return (
            entries.length > 0 && (
              <section key={group} aria-label={t(`shell.${group}`)}>
                <h2 className="side-group" aria-hidden={isCollapsed}>
                  {isCollapsed ? '' : t(`shell.${group}`)}
                </h2>
                <ul>
                  {entries.map((row) => (
                    <SideEntry key={row.path} row={row} isCollapsed={isCollapsed} />
                  ))}
                  {group === 'workspace' && hasChats && (
                    <Suspense>
                      <ChatLinks isCollapsed={isCollapsed} />
                    </Suspense>
                  )}
                </ul>
              </section>
            )
          );
        })}
      </nav>
      {onToggle !== undefined && <Fold isCollapsed={isCollapsed} onToggle={onToggle} />}
    </>
  );
};

const Fold = ({
  isCollapsed,
  onToggle,
}: {
  readonly isCollapsed: boolean;
  readonly onToggle: () => void;
}) => {
  const { t } = useTranslation();
  const label = isCollapsed ? t('shell.expand') : t('shell.collapse');
  return (
    <button
      type="button"
      className="side-fold"
      aria-label={label}
      aria-expanded={!isCollapsed}
      data-tip={isCollapsed ? label : undefined}
      onClick={onToggle}
    >
      {isCollapsed ? (
        <IconLayoutSidebarLeftExpand size={18} stroke={1.6} />
      ) : (
        <IconLayoutSidebarLeftCollapse size={18} stroke={1.6} />
      )}
      {!isCollapsed && <span>{label}</span>}
    </button>
  );
};

const SideEntry = ({ row, isCollapsed }: { readonly row: PageRow; readonly isCollapsed: boolean }) => {
  const { t } = useTranslation();
  const name = t(`page.${row.key}`);
  const Icon = menuIcons[row.key];
  const isMarked = useLocation({ select: ({ pathname }) => isUnder(row, pathname) });
  return (
    <li>
      <Link
        to={row.path}
        className={isMarked ? 'side-entry active' : 'side-entry'}
        {...(isMarked && { 'aria-current': true })}
        aria-label={isCollapsed ? name : undefined}
        data-tip={isCollapsed ? name : undefined}
      >
        {Icon !== undefined && <Icon size={18} stroke={1.6} />}
        {!isCollapsed && <span className="truncate">{name}</span>}
        {row.key === 'channels' && !isCollapsed && (
          <Suspense>
            <ProblemBadge />
          </Suspense>
        )}
      </Link>
    </li>
  );
};
