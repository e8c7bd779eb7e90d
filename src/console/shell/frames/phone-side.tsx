import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Logo } from './logo.tsx';
import { SideMenu } from '../menus/side-menu.tsx';
import { TopLinks } from '../menus/top-links.tsx';

/** The whole menu on a phone, sliding in from the left. Choosing a page, Escape or a touch beside it closes it. */
const PhoneSide = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation();
  const box = useRef<HTMLDialogElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const openedOn = useRef(path);
  useEffect(() => box.current?.showModal(), []);
  useEffect(() => {
    if (path !== openedOn.current) onClose();
  }, [path, onClose]);
  return (
    <dialog
      ref={box}
      className="phone-side"
      aria-label={t('shell.menu')}
      onClose={onClose}
      onClick={(event) => event.target === box.current && onClose()}
    >
      <div className="side">
        <Link to="/" className="side-logo">
          <Logo />
        </Link>
        <SideMenu isCollapsed={false} />
        <TopLinks />
      </div>
    </dialog>
  );
};

export default PhoneSide;
