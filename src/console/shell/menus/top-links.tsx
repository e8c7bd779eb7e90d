import { Link, useRouterState } from '@tanstack/react-router';
import { classNames } from '../../kit/class-names.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { findPage, hasPage, landingPath } from '../../routes.ts';
import { NewYearEntry } from '../new-year/new-year-entry.tsx';

const links = [
  { path: '/', key: 'home' },
  { path: '/pricing', key: 'pricing' },
  { path: '/availability', key: 'availability' },
  { path: '/about', key: 'about' },
] as const;

/** The links to home, console, prices and about, if they exist. */
export const TopLinks = () => {
  const { t } = useTranslation();
  const isAvailabilityShown = useSiteStatus()?.availability_enabled === true;
  return (
    <nav className="top-links" aria-label={t('shell.site')}>
      {links
        .filter(({ path, key }) => hasPage(path) && (key !== 'availability' || isAvailabilityShown))
        .map(({ path, key }) => (
          <Link key={key} to={path} activeOptions={{ exact: true }} className="top-link">
            {t(`shell.${key}`)}
          </Link>
        ))}
      <ConsoleLink />
      <DocsLink />
      <NewYearEntry />
    </nav>
  );
};

/** The operator's documentation, if set. */
const DocsLink = () => {
  const { t } = useTranslation();
  const address = useSiteStatus()?.docs_link ?? '';
  if (address === '') return null;
  return (
    <a className="top-link" href={address} target="_blank" rel="noreferrer">
      {t('shell.docs')}
    </a>
  );
};

/** The link to the user's start page, for visitors by way of signing in; marked as current on every console page. */
const ConsoleLink = () => {
  const { t } = useTranslation();
  const isHere = useRouterState({
    select: ({ matches }) => findPage(matches.at(-1)?.fullPath ?? '')?.frame === 'console',
  });
  return (
    <Link to={landingPath('/detail')} className={classNames('top-link', isHere && 'active')}>
      {t('shell.console')}
    </Link>
  );
};
