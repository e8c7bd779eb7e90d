import './availability.css';
import type { readAvailability } from '#contract/api/site/availability.ts';
import { availabilitySpans } from '#contract/availability.ts';
import type { Data } from '#contract/endpoint.ts';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { PageHeader } from '../../kit/page-header.tsx';
import { SearchInput } from '../../kit/search-input.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useIsAdmin } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { useUrlState } from '../../lib/browser/url-state.ts';
import { ModelRow } from './model-row.tsx';
import { useAvailability } from './use-availability.ts';

type Availability = Data<typeof readAvailability>;

/** From this number of models on, a search field is shown. */
const SEARCHED_FROM = 12;

/** The public page: how available and how fast each model was; if the operator does not show it, the page says so. */
const AvailabilityPage = () => {
  const { t } = useTranslation('availability');
  const isAdmin = useIsAdmin();
  if (useSiteStatus()?.availability_enabled !== false) return <ShownAvailability />;
  return (
    <section className="availability">
      <PageHeader title={t('title')} />
      <EmptyState text={t('off')}>
        {isAdmin && (
          <Link to="/setting" search={{ tab: 'operation', card: 'availability' }} className="button">
            {t('turnOn')}
          </Link>
        )}
      </EmptyState>
    </section>
  );
};

const ShownAvailability = () => {
  const { t } = useTranslation('availability');
  const [url, patch] = useUrlState();
  const span = availabilitySpans.find((one) => one === url['span']) ?? '24h';
  const { data, error, retry } = useAvailability(span);
  return (
    <section className="availability">
      <PageHeader title={t('title')} about={t('about')}>
        <Segmented
          label={t('span')}
          value={span}
          options={availabilitySpans.map((value) => ({ value, label: t(`spans.${value}`) }))}
          onChange={(next) => patch({ span: next === '24h' ? undefined : next })}
        />
      </PageHeader>
      {error !== undefined && <ErrorState error={error} onRetry={retry} />}
      {error === undefined && data === undefined && <Skeleton height={320} />}
      {data !== undefined && <Models availability={data} />}
    </section>
  );
};

const Models = ({ availability }: { readonly availability: Availability }) => {
  const { t } = useTranslation('availability');
  const [words, setWords] = useState('');
  const { models, more, from, step_seconds: step, read_at: readAt } = availability;
  const found = models.filter(({ model }) => model.toLowerCase().includes(words.trim().toLowerCase()));
  const told = found.filter(({ percent, bars }) => percent !== null || bars.some((bar) => bar !== null));
  const isOnlyWhole = told.some(({ percent, bars }) => percent !== null && bars.every((bar) => bar === null));
  const untold = found.filter((model) => !told.includes(model));
  if (models.length === 0) return <EmptyState text={t('none')} />;
  return (
    <>
      <div className="availability-tools">
        {models.length >= SEARCHED_FROM && (
          <label className="availability-search">
            <IconSearch size={15} aria-hidden />
            <SearchInput label={t('search')} value={words} onChange={setWords} />
          </label>
        )}
        <Legend />
        <span className="meta">
          {t('read')}
          <TimeText at={readAt} />
        </span>
      </div>
      {found.length === 0 && <EmptyState text={t('notFound')} />}
      {isOnlyWhole && <p className="availability-whole meta">{t('whole')}</p>}
      {told.length > 0 && (
        <ul className="availability-models">
          {told.map((model) => (
            <ModelRow key={model.model} model={model} from={from} stepSeconds={step} />
          ))}
        </ul>
      )}
      {untold.length > 0 && (
        <section aria-labelledby="availability-untold">
          <h2 id="availability-untold">{t('untold')}</h2>
          <p className="meta">{t('untoldAbout')}</p>
          <ul className="availability-untold">
            {untold.map(({ model }) => (
              <li key={model} className="mono">
                {model}
              </li>
            ))}
          </ul>
        </section>
      )}
      {more > 0 && <p className="meta">{t('more', { count: more })}</p>}
      <details className="availability-counts">
        <summary>{t('counts.title')}</summary>
        <p>{t('counts.answered')}</p>
        <p>{t('counts.left')}</p>
        <p>{t('counts.shown')}</p>
      </details>
    </>
  );
};

const LEVELS = ['good', 'fair', 'bad', 'none'] as const;

const Legend = () => {
  const { t } = useTranslation('availability');
  return (
    <ul className="availability-legend meta" aria-label={t('legend')}>
      {LEVELS.map((level) => (
        <li key={level} data-level={level}>
          {t(`levels.${level}`)}
        </li>
      ))}
    </ul>
  );
};

export default AvailabilityPage;
