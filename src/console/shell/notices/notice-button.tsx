import { IconBell } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { IconButton } from '../../kit/button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { loadNotice, markNoticeSeen, useSiteNotice } from '../../lib/server/site-content.ts';

const NoticeDialog = late(() => import('./notice-dialog.tsx'));

/** Loaded after the page. */
const WAIT_MS = 600;

/** The button of the site's notice; a new notice opens by itself on the home page. */
export const NoticeButton = () => {
  const { t } = useTranslation();
  const { text, isSeen } = useSiteNotice();
  const [isOpen, setOpen] = useState(false);
  const isHome = useRouterState({ select: (state) => state.location.pathname === '/' });
  useEffect(() => {
    // No error is shown if the notice cannot be loaded.
    const timer = setTimeout(() => void loadNotice().catch(() => undefined), WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (text === '') return null;
  const isShown = isOpen || (isHome && !isSeen);
  return (
    <>
      <span className="bell" data-new={!isSeen || undefined}>
        <IconButton label={isSeen ? t('shell.notice') : t('shell.newNotice')} onClick={() => setOpen(true)}>
          <IconBell size={18} stroke={1.7} />
        </IconButton>
      </span>
      <Suspense>
        {isShown && (
          <NoticeDialog
            text={text}
            onClose={() => {
              setOpen(false);
              markNoticeSeen();
            }}
          />
        )}
      </Suspense>
    </>
  );
};
