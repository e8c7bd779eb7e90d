import { memo } from 'react';
import { Copy } from '../../kit/copy.tsx';
import { GroupChips } from '../../kit/group-chip.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import { PriceText } from '../../kit/texts/price-text.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { vendorOf } from '../../lib/text/vendors.ts';
import { contextText } from '../../lib/text/context-size.ts';
import { priceIn, type PricedModel } from './priced-model.ts';
import type { PriceRowsProps } from './price-table.tsx';

/** The models as cards, all of one height in their line. */
export const PriceCards = ({ models, group, onOpen }: PriceRowsProps) => {
  const { t } = useTranslation('pricing');
  return (
    <ul className="price-cards" aria-label={t('title')}>
      {models.map((model) => (
        <PriceCard key={model.model_name} model={model} group={group} onOpen={onOpen} />
      ))}
    </ul>
  );
};

type PriceCardProps = Omit<PriceRowsProps, 'models'> & { readonly model: PricedModel };

const PriceCard = memo(({ model, group, onOpen }: PriceCardProps) => {
  const { t } = useTranslation('pricing');
  const isByCall = model.quota_type === 1;
  const vendor = vendorOf(model.model_name);
  const price = priceIn(model, group);
  const cost = (label: string, dollars: number) => (
    <div>
      <dt>{label}</dt>
      <dd className="number">
        <PriceText usd={dollars} />
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
      <footer>
        <GroupChips names={model.enable_groups} shown={2} />
        {model.context_window > 0 && (
          <span className="meta number">{t('contextOf', { tokens: contextText(model.context_window) })}</span>
        )}
        <button
          type="button"
          className="price-more"
          aria-label={t('detailsOf', { name: model.model_name })}
          onClick={() => onOpen(model.model_name)}
        >
          {t('details')}
        </button>
      </footer>
    </li>
  );
});
