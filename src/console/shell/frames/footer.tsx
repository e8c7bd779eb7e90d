import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { readStored } from '../../lib/browser/stored.ts';
import { useSystemName } from './logo.tsx';

// Loaded only when needed: sanitising HTML takes a library that most sites never use.
const CustomFooter = lazy(() => import('./custom-footer.tsx'));

/** Source: specification, app shell. */
const REREAD_MS = 200;
const REREADS = 5;

/** The stored footer, read several times, because another part of the page may still be storing it. */
const useStoredFooter = (): string => {
  const [html, setHtml] = useState(() => readStored('footer_html') ?? '');
  const fresh = useSiteStatus()?.footer_html;
  useEffect(() => {
    let left = REREADS;
    const timer = setInterval(() => {
      setHtml(readStored('footer_html') ?? '');
      left -= 1;
      if (left === 0) clearInterval(timer);
    }, REREAD_MS);
    return () => clearInterval(timer);
  }, [fresh]);
  return html;
};

/** The site's own footer, else name and version. */
export const Footer = () => {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const name = useSystemName();
  const html = useStoredFooter();
  return (
    <footer className="footer">
      {html === '' ? (
        <span>
          {name}
          {status !== undefined && ` · ${t('shell.version', { version: status.version })}`}
        </span>
      ) : (
        <Suspense>
          <CustomFooter html={html} />
        </Suspense>
      )}
    </footer>
  );
};
