import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Layer } from '../../kit/overlays/layer.tsx';
import { useEscape } from '../../kit/overlays/use-escape.ts';
import { useFocusBack } from '../../kit/overlays/use-focus-back.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Logo } from './logo.tsx';
import { SideMenu } from '../menus/side-menu.tsx';
import { TopLinks } from '../menus/top-links.tsx';

const WIDTH = 280;
const LAYER = 200;

/** The whole menu on a phone, at the left edge. Choosing a page, Escape or a touch beside it closes it. */
const PhoneSide = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const openedOn = useRef(path);
  useFocusBack();
  useEscape(onClose);
  useEffect(() => {
    if (path !== openedOn.current) onClose();
  }, [path, onClose]);
  return (
    <Layer label={t('shell.menu')} kind="menu" width={WIDTH} isWhole={false} layer={LAYER} onClose={onClose}>
      <div className="side phone-side">
        <Link to="/" className="side-logo">
          <Logo />
        </Link>
        <SideMenu isCollapsed={false} />
        <TopLinks />
      </div>
    </Layer>
  );
};

export default PhoneSide;
