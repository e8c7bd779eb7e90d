import { useMemo } from 'react';
import { type PlainColumn, PlainTable, RowOpener } from '../../kit/tables/plain-table.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import { PriceText } from '../../kit/texts/price-text.tsx';
import { contextText } from '../../lib/text/context-size.ts';
import { MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { vendorOf } from '../../lib/text/vendors.ts';
import { abilitiesOf, type GroupPrice, priceIn, type PricedModel, type SortKey } from './priced-model.ts';

export interface PriceRowsProps {
  readonly models: readonly PricedModel[];
  readonly group: string;
  readonly onOpen: (model: string) => void;
}

interface PriceTableProps extends PriceRowsProps {
  readonly sort: string;
  readonly onSort: (sort: string | undefined) => void;
}

const nameOf = (model: PricedModel): string => model.model_name;
const missing = <span className="tone-muted">{MISSING}</span>;

type TokenPrice = Extract<GroupPrice, { readonly prompt: number }>;

const tokenPriceIn = (model: PricedModel, group: string): TokenPrice | undefined => {
  const price = priceIn(model, group);
  return price !== undefined && 'prompt' in price ? price : undefined;
};

/** The models as a table with aligned prices. */
export const PriceTable = ({ models, group, onOpen, sort, onSort }: PriceTableProps) => {
  const { t } = useTranslation('pricing');
  const columns = useMemo((): readonly PlainColumn<PricedModel>[] => {
    const column = (
      id: SortKey,
      cell: PlainColumn<PricedModel>['cell'],
      more: Partial<PlainColumn<PricedModel>> = { align: 'end' },
    ): PlainColumn<PricedModel> => ({ id, title: t(`column.${id}`), sortable: true, cell, ...more });
    return [
      column('model', (model) => <NameCell model={model} onOpen={onOpen} />, {}),
      column('input', (model) => <InputCell model={model} group={group} />),
      column('output', (model) => {
        const price = tokenPriceIn(model, group);
        return price === undefined ? missing : <PriceText usd={price.completion} />;
      }),
      column(
        'cached',
        (model) => {
          const price = tokenPriceIn(model, group);
          return price === undefined || model.cache_ratio === 1 ? missing : <PriceText usd={price.cached} />;
        },
        { align: 'end', from: 480 },
      ),
      column('context', ({ context_window: tokens }) => (tokens === 0 ? missing : contextText(tokens)), {
        align: 'end',
        from: 760,
      }),
      {
        id: 'abilities',
        title: t('column.abilities'),
        from: 1000,
        cell: (model) => <AbilityCell model={model} />,
      },
    ];
  }, [t, group, onOpen]);
  return (
    <PlainTable
      label={t('title')}
      columns={columns}
      rows={models}
      rowId={nameOf}
      sort={sort}
      onSort={onSort}
    />
  );
};

const NameCell = ({ model, onOpen }: Pick<PriceRowsProps, 'onOpen'> & { readonly model: PricedModel }) => {
  const { t } = useTranslation('pricing');
  const vendor = vendorOf(model.model_name);
  const others = model.variants.length;
  const meta = [vendor.name, others > 0 ? t('variant.short', { count: others }) : ''];
  return (
    <span className="price-row-name">
      <ProviderIcon type={vendor.type} />
      <span>
        <RowOpener onOpen={() => onOpen(model.model_name)}>{model.model_name}</RowOpener>
        <span className="meta">{meta.filter((text) => text !== '').join(' · ')}</span>
      </span>
    </span>
  );
};

const InputCell = ({ model, group }: { readonly model: PricedModel; readonly group: string }) => {
  const { t } = useTranslation('pricing');
  const price = priceIn(model, group);
  if (price === undefined) return missing;
  if ('prompt' in price) return <PriceText usd={price.prompt} />;
  return (
    <>
      <PriceText usd={price.call} />
      {price.call !== 0 && <small> {t('aCall')}</small>}
    </>
  );
};

const AbilityCell = ({ model }: { readonly model: PricedModel }) => {
  const { t } = useTranslation('pricing');
  return (
    <span className="chips">
      {abilitiesOf(model).map((ability) => (
        <span key={ability} className="chip">
          {t(`ability.${ability}`)}
        </span>
      ))}
    </span>
  );
};
