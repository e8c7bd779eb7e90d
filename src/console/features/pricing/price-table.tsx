import { useMemo } from 'react';
import { type PlainColumn, PlainTable, RowOpener } from '../../kit/tables/plain-table.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import { PriceText } from '../../kit/texts/price-text.tsx';
import { contextText } from '../../lib/text/context-size.ts';
import { formatPrice, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { vendorOf } from '../../lib/text/vendors.ts';
import { abilitiesOf, type PricedModel, type SortKey, valueOf } from './priced-model.ts';

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
const shownPrice = (usd: number | undefined): string => (usd === undefined ? '' : formatPrice(usd));
const missing = <span className="tone-muted">{MISSING}</span>;

/** The models as a table with aligned prices. */
export const PriceTable = ({ models, group, onOpen, sort, onSort }: PriceTableProps) => {
  const { t } = useTranslation('pricing');
  const columns = useMemo((): readonly PlainColumn<PricedModel>[] => {
    const column = (
      id: SortKey,
      cell: PlainColumn<PricedModel>['cell'],
      more: Partial<PlainColumn<PricedModel>> = { align: 'end' },
    ): PlainColumn<PricedModel> => ({ id, title: t(`column.${id}`), sortable: true, cell, ...more });
    const amount = (id: SortKey, more: Partial<PlainColumn<PricedModel>> = {}): PlainColumn<PricedModel> => {
      const usdOf = (model: PricedModel) => valueOf(model, group, id);
      return column(id, (model) => <Price usd={usdOf(model)} isByCall={model.quota_type === 1} />, {
        align: 'end',
        amount: (model) => shownPrice(usdOf(model)),
        ...more,
      });
    };
    return [
      column('model', (model) => <NameCell model={model} onOpen={onOpen} />, {}),
      amount('input'),
      amount('output'),
      amount('cached', { from: 480 }),
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

const Price = ({ usd, isByCall }: { readonly usd: number | undefined; readonly isByCall: boolean }) => {
  const { t } = useTranslation('pricing');
  if (usd === undefined) return missing;
  return (
    <>
      <PriceText usd={usd} />
      {isByCall && usd !== 0 && <small className="price-unit">{t('aCall')}</small>}
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
