import './pricing.css';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { readPricing } from '#contract/api/pricing.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { GroupChips, RatioChip } from '../../kit/group-chip.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../kit/states.tsx';
import { callWhole } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import { useUrlState } from '../../lib/url-state.ts';
import { PriceVariants } from './price-variants.tsx';
import { formatPrice } from '../../lib/format.ts';
import { vendorOf } from '../../lib/vendors.ts';
import { SearchInput } from '../../kit/search-input.tsx';

type PricedModel = Data<typeof readPricing>[number];

interface Pricing {
  readonly models: readonly PricedModel[];
  readonly ratios: Readonly<Record<string, number>>;
  readonly names: Readonly<Record<string, string>>;
}

/** The page is also for visitors, where the query client is not loaded. */
const usePricing = () => {
  const user = useSession();
  const [pricing, setPricing] = useState<Pricing>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    callWhole(readPricing, {}, gone.signal)
      .then((answer) => {
        setPricing({
          models: answer.data,
          ratios: answer['group_ratio'] as Pricing['ratios'],
          names: answer['usable_group'] as Pricing['names'],
        });
      })
      .catch((thrown: unknown) => !gone.signal.aborted && setError(thrown));
    return () => gone.abort();
  }, [user?.id, tries]);
  const retry = (): void => {
    setError(undefined);
    setTries(tries + 1);
  };
  return { pricing, error, retry };
};

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

const PriceList = ({ pricing }: { readonly pricing: Pricing }) => {
  const { t } = useTranslation('pricing');
  const user = useSession();
  const [url, patch] = useUrlState();
  const groups = Object.keys(pricing.ratios);
  const own = user !== undefined && groups.includes(user.group) ? user.group : 'default';
  const wantedGroup = url['group'];
  const group = groups.includes(wantedGroup ?? '')
    ? (wantedGroup ?? own)
    : groups.includes(own)
      ? own
      : (groups[0] ?? '');
  const words = (url['q'] ?? '').toLowerCase();
  const vendor = url['vendor'] ?? '';
  const inGroup = pricing.models.filter((model) => model.enable_groups.includes(group));
  const found = inGroup.filter(
    ({ model_name: name }) =>
      name.toLowerCase().includes(words) && (vendor === '' || vendorOf(name).name === vendor),
  );
  const vendors = [...Map.groupBy(inGroup, (model) => vendorOf(model.model_name).name)]
    .filter(([name]) => name !== '')
    .toSorted(([, left], [, right]) => right.length - left.length);
  return (
    <>
      <div className="pricing-group">
        <span className="meta">{user === undefined ? t('visitor') : t('yourGroup', { group: own })}</span>
        <Segmented
          label={t('group')}
          value={group}
          options={groups.map((name) => ({ value: name, label: `${name} ×${pricing.ratios[name] ?? 1}` }))}
          onChange={(next) => patch({ group: next })}
        />
        {pricing.names[group] !== undefined && <span className="meta">{pricing.names[group]}</span>}
      </div>
      <div className="pricing-tools">
        <label className="pricing-search">
          <IconSearch size={15} aria-hidden />
          <SearchInput
            label={t('search')}
            value={url['q'] ?? ''}
            onChange={(text) => patch({ q: text }, { replace: true })}
          />
        </label>
        <div className="pricing-vendors" role="group" aria-label={t('vendor')}>
          <button
            type="button"
            className="preset"
            aria-pressed={vendor === ''}
            onClick={() => patch({ vendor: undefined })}
          >
            {t('allVendors', { count: inGroup.length })}
          </button>
          {vendors.map(([name, models]) => (
            <button
              key={name}
              type="button"
              className="preset"
              aria-pressed={vendor === name}
              onClick={() => patch({ vendor: name })}
            >
              {name} {models.length}
            </button>
          ))}
        </div>
      </div>
      {found.length === 0 ? (
        <EmptyState text={pricing.models.length === 0 ? t('empty') : t('notFound')}>
          {inGroup.length > 0 && (
            <Button onClick={() => patch({ q: undefined, vendor: undefined })}>{t('showAll')}</Button>
          )}
        </EmptyState>
      ) : (
        <ul className="price-cards" aria-label={t('title')}>
          {found.map((model) => (
            <PriceCard
              key={model.model_name}
              model={model}
              price={model.prices[group]}
              ratio={pricing.ratios[group] ?? 1}
            />
          ))}
        </ul>
      )}
      <p className="meta pricing-note">{t('note')}</p>
    </>
  );
};

interface PriceCardProps {
  readonly model: PricedModel;
  /** What the chosen group pays. */
  readonly price: PricedModel['prices'][string] | undefined;
  readonly ratio: number;
}

const PriceCard = ({ model, price, ratio }: PriceCardProps) => {
  const { t } = useTranslation('pricing');
  const isByCall = model.quota_type === 1;
  const vendor = vendorOf(model.model_name);
  const cost = (label: string, dollars: number) => (
    <div>
      <dt>{label}</dt>
      <dd className="number">
        {formatPrice(dollars)}
        {!isByCall && <small>{t('perMillion')}</small>}
      </dd>
    </div>
  );
  return (
    <li className="price-card">
      <header>
        <ProviderIcon type={vendor.type} />
        <div className="price-name">
          <Copy value={model.model_name} mono />
          <span className="meta">{vendor.name || t('otherVendor')}</span>
        </div>
        <span className={`chip ${isByCall ? 'chip-info' : 'chip-muted'}`}>
          {isByCall ? t('byCall') : t('byTokens')}
        </span>
      </header>
      <dl>
        {price !== undefined && 'call' in price && cost(t('perCall'), price.call)}
        {price !== undefined && 'prompt' in price && (
          <>
            {cost(t('prompt'), price.prompt)}
            {cost(t('completion'), price.completion)}
            {model.cache_ratio !== 1 && cost(t('cached'), price.cached)}
          </>
        )}
      </dl>
      {price !== undefined && <PriceVariants variants={model.variants} price={price} />}
      <footer>
        <GroupChips names={model.enable_groups} shown={3} />
        {!isByCall && (
          <span
            className="meta"
            data-tip={t('work', {
              ratio: model.model_ratio,
              completion: model.completion_ratio,
              group: ratio,
            })}
          >
            {t('ratios', {
              ratio: model.model_ratio,
              completion: Number(model.completion_ratio.toPrecision(4)),
            })}
          </span>
        )}
        <RatioChip ratio={ratio} tip={t('groupRatio')} />
      </footer>
    </li>
  );
};

export default PricingPage;
