import './pricing.css';
import { PageHeader } from '../../kit/page-header.tsx';
import { ErrorState, Skeleton } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { PriceList } from './price-list.tsx';
import { usePricing } from './use-pricing.ts';

/** The price list of all models, in the selected group. */
const PricingPage = () => {
  const { t } = useTranslation('pricing');
  const { pricing, error, retry } = usePricing();
  return (
    <section className="pricing">
      <PageHeader title={t('title')} about={t('about')} />
      {error !== undefined && <ErrorState error={error} onRetry={retry} />}
      {error === undefined && pricing === undefined && <Skeleton height={360} />}
      {pricing !== undefined && <PriceList pricing={pricing} />}
    </section>
  );
};

export default PricingPage;
