import { lazy, Suspense } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { useSiteStatus } from '../lib/site-status.ts';
import { useSystemName } from './logo.tsx';

// Cleaning foreign HTML takes a library that most sites never need.
const CustomFooter = lazy(() => import('./custom-footer.tsx'));

/** The site's own footer where one is set, else the name with the version. */
export const Footer = () => {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const name = useSystemName();
  const html = status?.footer_html ?? '';
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
