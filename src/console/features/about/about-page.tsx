import './about.css';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteContent } from '../../lib/server/site-content.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';

const CustomContent = lazy(() => import('../../kit/custom-content.tsx'));

const steps = ['hold', 'route', 'repeat', 'settle'] as const;

/** The operator's about page if there is one, else ours. */
const AboutPage = () => {
  const { t } = useTranslation('about');
  const name = useSiteStatus()?.system_name || 'Tollgate';
  const content = useSiteContent('about');
  if (content !== undefined && content !== '')
    return (
      <Suspense>
        <CustomContent text={content} title={t('title', { name })} />
      </Suspense>
    );
  return <BuiltInAbout name={name} />;
};

const BuiltInAbout = ({ name }: { readonly name: string }) => {
  const { t } = useTranslation('about');
  const status = useSiteStatus();
  return (
    <article className="about">
      <h1>{t('title', { name })}</h1>
      <p className="about-lead">{t('lead', { name })}</p>
      <h2>{t('how')}</h2>
      <ol className="about-steps">
        {steps.map((step) => (
          <li key={step}>
            <h3>{t(`step.${step}.title`)}</h3>
            <p>{t(`step.${step}.text`)}</p>
          </li>
        ))}
      </ol>
      <dl className="about-facts">
        <div>
          <dt>{t('version')}</dt>
          <dd className="number">{status?.version ?? ''}</dd>
        </div>
        <div>
          <dt>{t('since')}</dt>
          <dd>
            <TimeText at={status?.start_time ?? 0} exact />
          </dd>
        </div>
      </dl>
      <div className="about-links">
        <Link to="/pricing" className="button">
          {t('models')}
        </Link>
        {status !== undefined && status.docs_link !== '' && (
          <a className="button" href={status.docs_link} target="_blank" rel="noreferrer">
            {t('docs')}
          </a>
        )}
      </div>
    </article>
  );
};

export default AboutPage;
