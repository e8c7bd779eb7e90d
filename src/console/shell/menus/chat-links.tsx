import { IconMessages } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { classNames } from '../../kit/class-names.ts';
import { Menu } from '../../kit/overlays/menu.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';

/** The operator's links to chat programs, as a collapsible part of the menu. */
const ChatLinks = ({ isCollapsed }: { readonly isCollapsed: boolean }) => {
  const { t } = useTranslation();
  const chats = useSiteStatus()?.chats ?? [];
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const names = chats.flatMap((chat) => Object.keys(chat).slice(0, 1));
  if (names.length === 0) return null;
  if (isCollapsed)
    return (
      <li>
        <Menu
          label={t('shell.chat')}
          className="side-entry"
          items={() =>
            names.map((name, at) => ({
              label: name,
              run: () => void navigate({ to: `/chat/${at}` }),
            }))
          }
        >
          <IconMessages size={18} stroke={1.6} />
        </Menu>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        className={classNames('side-entry', 'side-chat')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconMessages size={18} stroke={1.6} />
        <span className="truncate">{t('shell.chat')}</span>
      </button>
      {isOpen && (
        <ul className="side-sub">
          {names.map((name, at) => (
            <li key={`${at} ${name}`}>
              <Link to={`/chat/${at}`} className="side-entry">
                <span className="truncate">{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

export default ChatLinks;
