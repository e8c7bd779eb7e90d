import './home.css';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Copy } from '../../kit/copy.tsx';
import { Notice } from '../../kit/states.tsx';
import { useSiteContent } from '../../lib/server/site-content.ts';
import { useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { landingPath } from '../../routes.ts';
import { Route } from './route-picture.tsx';
import { withoutEnd } from '#contract/without-end.ts';

const TryIt = lazy(() => import('./try-it.tsx'));
const Features = lazy(() => import('./home-features.tsx'));
const CustomContent = lazy(() => import('../../kit/custom-content.tsx'));

/** The operator's home page if there is one, else ours. */
const HomePage = () => {
  const { t } = useTranslation('front');
  const content = useSiteContent('home_page_content');
  if (content !== undefined && content !== '')
    return (
      <Suspense>
        <CustomContent text={content} title={t('home.title')} />
      </Suspense>
    );
  return <BuiltInHome />;
};

const BuiltInHome = () => {
  const { t } = useTranslation('front');
  const user = useSession();
  const status = useSiteStatus();
  const address = withoutEnd(status?.server_address || location.origin, '/');
  return (
    <div className="home">
      <section className="home-lead">
        {status?.setup === false && <Notice tone="warn">{t('home.needsSetup')}</Notice>}
        <h1>{t('home.title')}</h1>
        <p className="home-about">{t('home.about')}</p>
        <div className="home-address">
          <span className="meta">{t('home.baseUrl')}</span>
          <Copy value={`${address}/v1`} mono />
        </div>
        <p className="meta">{t('home.baseUrlHint')}</p>
        <div className="home-actions">
          {user === undefined ? (
            <Link to="/login" className="button button-primary button-large">
              {t('home.start')}
            </Link>
          ) : (
            <Link to={landingPath('/detail')} className="button button-primary button-large">
              {t('home.openConsole')}
            </Link>
          )}
          <Link to="/pricing" className="button button-large">
            {t('home.prices')}
          </Link>
        </div>
      </section>
      <Route />
      <Suspense>
        <TryIt address={address} />
        <Features />
      </Suspense>
    </div>
  );
};

export default HomePage;
