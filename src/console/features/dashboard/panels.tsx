import './panels.css';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { readPanels } from '#contract/api/site/contents.ts';
import { late } from '../../kit/late.tsx';
import { Copy } from '../../kit/copy.tsx';
import { call } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

const UptimePanel = late(() => import('./uptime-panel.tsx'));
const CustomContent = late(() => import('../../kit/custom-content.tsx'));

const FIRST_SHOWN = 3;

/**
 * The operator's panels for all users: addresses, announcements, questions, watched services. Empty ones are hidden.
 */
const Panels = () => {
  const { t } = useTranslation('dashboard');
  const { data } = useQuery({
    queryKey: ['panels'],
    queryFn: ({ signal }) => call(readPanels, {}, signal),
    staleTime: 60_000,
    meta: { isAside: true },
  });
  if (data === undefined) return null;
  const { addresses, announcements, questions, has_uptime: hasUptime } = data;
  if (addresses.length + announcements.length + questions.length === 0 && !hasUptime) return null;
  return (
    <div className="dash-panels">
      {addresses.length > 0 && (
        <section className="dash-card" aria-labelledby="panel-addresses">
          <h2 id="panel-addresses">{t('panels.addresses')}</h2>
          <ul className="panel-addresses">
            {addresses.map(({ url, route, description }) => (
              <li key={route}>
                <b>{route}</b>
                <span className="mono truncate">{url}</span>
                <Copy value={url} label={url} iconOnly />
                {description !== '' && <span className="meta">{description}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {announcements.length > 0 && <Announcements all={announcements} />}
      {questions.length > 0 && (
        <section className="dash-card" aria-labelledby="panel-questions">
          <h2 id="panel-questions">{t('panels.questions')}</h2>
          {questions.map(({ question, answer }) => (
            <details key={question} className="panel-question">
              <summary>{question}</summary>
              <Suspense>
                <CustomContent text={answer} title={question} />
              </Suspense>
            </details>
          ))}
        </section>
      )}
      {hasUptime && (
        <Suspense>
          <UptimePanel />
        </Suspense>
      )}
    </div>
  );
};

const Announcements = ({
  all,
}: {
  readonly all: readonly { readonly content: string; readonly date: string }[];
}) => {
  const { t } = useTranslation('dashboard');
  const [isWhole, setWhole] = useState(false);
  return (
    <section className="dash-card" aria-labelledby="panel-announcements">
      <h2 id="panel-announcements">{t('panels.announcements')}</h2>
      <ol className="panel-announcements">
        {(isWhole ? all : all.slice(0, FIRST_SHOWN)).map(({ content, date }) => (
          <li key={date + content}>
            <time className="meta number" dateTime={date}>
              {date.slice(0, 10)}
            </time>
            <Suspense>
              <CustomContent text={content} title={t('panels.announcements')} />
            </Suspense>
          </li>
        ))}
      </ol>
      {!isWhole && all.length > FIRST_SHOWN && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          {t('panels.all', { count: all.length })}
        </button>
      )}
    </section>
  );
};

export default Panels;
