import './model-panel.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { otherTokens, type OtherTokens } from '#contract/price-factors.ts';
import { Copy } from '../../kit/copy.tsx';
import { RatioChip } from '../../kit/group-chip.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { SidePanel } from '../../kit/drawers/side-panel.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { formatExact, formatExactPrice, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { vendorOf } from '../../lib/text/vendors.ts';
import { abilitiesOf, kindOf, priceIn, type PricedModel } from './priced-model.ts';
import { PriceHistory } from './price-history.tsx';
import { PriceVariants } from './price-variants.tsx';
import { languages, snippet, type SnippetLanguage } from './snippets.ts';
import type { Pricing } from './use-pricing.ts';
import { withoutEnd } from '#contract/without-end.ts';

interface ModelPanelProps {
  readonly model: PricedModel;
  /** The group whose prices are shown. */
  readonly group: string;
  readonly pricing: Pricing;
  readonly onClose: () => void;
}

/** The details of one model: the price for each group, price variants, and how to call it. */
const ModelPanel = ({ model, group, pricing, onClose }: ModelPanelProps) => {
  const { t } = useTranslation('pricing');
  const name = model.model_name;
  const price = priceIn(model, group);
  return (
    <SidePanel
      title={name}
      onClose={onClose}
      foot={<TryLink model={name} isChat={kindOf(name) === 'chat'} />}
    >
      <div className="panel-facts">
        <span className="meta">{vendorOf(name).name || t('otherVendor')}</span>
        {abilitiesOf(model).map((ability) => (
          <span key={ability} className="chip">
            {t(`ability.${ability}`)}
          </span>
        ))}
        {model.context_window > 0 && (
          <span className="meta number">{t('contextOf', { tokens: formatExact(model.context_window) })}</span>
        )}
        <Copy value={name} mono label={t('copyName')} />
      </div>
      <section>
        <h3>{t('panel.groups')}</h3>
        <GroupPrices model={model} pricing={pricing} />
        {model.quota_type === 0 && (
          <p className="meta">
            {t('work', {
              ratio: model.model_ratio,
              completion: Number(model.completion_ratio.toPrecision(6)),
              group: pricing.ratios[group] ?? 1,
            })}
          </p>
        )}
      </section>
      {price !== undefined && 'others' in price && <OtherPrices others={price.others ?? {}} group={group} />}
      {price !== undefined && <PriceVariants variants={model.variants} price={price} group={group} />}
      <Snippets model={name} />
      {/* At the end, because it loads later and must not move other controls. */}
      <PriceHistory model={name} group={group} />
    </SidePanel>
  );
};

const GroupPrices = ({ model, pricing }: Pick<ModelPanelProps, 'model' | 'pricing'>) => {
  const { t } = useTranslation('pricing');
  const isByCall = model.quota_type === 1;
  const writes = Object.values(model.prices).some((price) => 'written' in price);
  const columns = isByCall
    ? (['call'] as const)
    : (['input', 'output', 'cached', ...(writes ? (['written'] as const) : [])] as const);
  const cell = (group: string, column: (typeof columns)[number]): string => {
    const price = priceIn(model, group);
    if (price === undefined) return MISSING;
    if ('call' in price) return formatExactPrice(price.call);
    const { prompt, completion, cached, written } = price;
    if (column === 'cached') return model.cache_ratio === 1 ? MISSING : formatExactPrice(cached);
    if (column === 'written') return written === undefined ? MISSING : formatExactPrice(written);
    return formatExactPrice(column === 'input' ? prompt : completion);
  };
  return (
    <SmallTable
      label={t('panel.groups')}
      columns={[
        { title: t('group') },
        ...columns.map((name) => ({ title: t(`column.${name}`), align: 'end' as const })),
      ]}
      rows={model.enable_groups.map((group) => ({
        id: group,
        cells: [
          <span key="group" className="panel-group">
            {group} <RatioChip ratio={pricing.ratios[group] ?? 1} tip={t('groupRatio')} />
          </span>,
          ...columns.map((column) => cell(group, column)),
        ],
      }))}
    />
  );
};

interface OtherPricesProps {
  readonly others: Readonly<Partial<Record<OtherTokens, number>>>;
  readonly group: string;
}

/** What sound, pictures and an hour in the cache cost, where that is something else. */
const OtherPrices = ({ others, group }: OtherPricesProps) => {
  const { t } = useTranslation('pricing');
  const title = t('others.title', { group });
  return (
    <section>
      <h3>{title}</h3>
      <SmallTable
        label={title}
        columns={[{ title: t('others.kind') }, { title: t('others.price'), align: 'end' }]}
        rows={otherTokens.flatMap((kind) => {
          const price = others[kind];
          return price === undefined
            ? []
            : [{ id: kind, cells: [t(`others.${kind}`), formatExactPrice(price)] }];
        })}
      />
    </section>
  );
};

const Snippets = ({ model }: { readonly model: string }) => {
  const { t } = useTranslation('pricing');
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const status = useSiteStatus();
  const address = withoutEnd(status?.server_address || location.origin, '/');
  const text = snippet(language, { model, kind: kindOf(model), address });
  if (text === undefined) return null;
  return (
    <section>
      <div className="panel-head">
        <h3>{t('panel.call')}</h3>
        <Segmented
          label={t('panel.language')}
          value={language}
          options={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          onChange={setLanguage}
        />
        <Copy value={text} iconOnly label={t('panel.copy')} />
      </div>
      <pre className="mono panel-snippet" tabIndex={0} aria-label={t('panel.call')}>
        {text}
      </pre>
    </section>
  );
};

const TryLink = ({ model, isChat }: { readonly model: string; readonly isChat: boolean }) => {
  const { t } = useTranslation('pricing');
  const user = useSession();
  if (!isChat) return null;
  const target = `/playground?model=${encodeURIComponent(model)}`;
  return user === undefined ? (
    <Link to="/login" search={{ redirect: target }} className="button button-primary">
      {t('panel.signInToTry')}
    </Link>
  ) : (
    <Link to="/playground" search={{ model }} className="button button-primary">
      {t('panel.try')}
    </Link>
  );
};

export default ModelPanel;
