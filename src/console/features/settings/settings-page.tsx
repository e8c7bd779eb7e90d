import './settings.css';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { classNames } from '../../kit/class-names.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { type SettingTab, settingTabs } from '../../lib/setting-cards.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import PersonalTab from './personal/personal-tab.tsx';

const SiteSettings = lazy(() => import('./site-settings.tsx'));

const isTab = (text: string | undefined): text is SettingTab => settingTabs.some((tab) => tab === text);

/** On phones the tabs are wider than the page, so the current one is scrolled into view. */
const reveal = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** The settings: personal ones for every user, the site's for admins. The tab is in the address. */
const SettingsPage = () => {
  const { t } = useTranslation('settings');
  const [url] = useUrlState();
  const isAdmin = useIsAdmin();
  const wanted = isTab(url['tab']) ? url['tab'] : 'personal';
  const tab = isAdmin ? wanted : 'personal';
  const [unsaved, setUnsaved] = useState('');
  return (
    <>
      <PageHeader title={t('title')} about={t(isAdmin ? 'about' : 'aboutOwn')} />
      {isAdmin && (
        <nav className="setting-tabs" aria-label={t('title')}>
          {settingTabs.map((name) => (
            <Link
              key={name}
              to="/setting"
              search={{ tab: name }}
              className={classNames('setting-tab', unsaved.includes(name) && 'setting-dirty')}
              ref={name === tab ? reveal : undefined}
              aria-current={name === tab ? 'page' : undefined}
            >
              {t(`tab.${name}`)}
              {unsaved.includes(name) && <span className="hidden-visually">{t('unsaved')}</span>}
            </Link>
          ))}
        </nav>
      )}
      <Suspense fallback={<Skeleton height={360} />}>
        {tab === 'personal' ? <PersonalTab /> : <SiteSettings tab={tab} onUnsaved={setUnsaved} />}
      </Suspense>
    </>
  );
};

export default SettingsPage;
