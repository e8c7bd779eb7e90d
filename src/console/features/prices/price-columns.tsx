import { useMemo } from 'react';
import { NamedCell } from '../../kit/tables/named-cell.tsx';
import { GroupChips } from '../../kit/group-chip.tsx';
import { ProviderIcon } from '../../kit/provider-icon.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { StatusPill, type Tone } from '../../kit/status.tsx';
import { PriceText } from '../../kit/texts/price-text.tsx';
import { formatExactPrice, formatPrice, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { vendorOf } from '../../lib/text/vendors.ts';
import type { PricedModel } from './price.ts';

const tones: Readonly<Record<PricedModel['origin'], Tone>> = {
  unset: 'bad',
  own: 'info',
  catalogue: 'muted',
};

const missing = <span className="tone-muted">{MISSING}</span>;

const Origin = ({ model: { origin } }: { readonly model: PricedModel }) => {
  const { t } = useTranslation('prices');
  return (
    <StatusPill tone={tones[origin]} tip={t(`originTip.${origin}`)}>
      {t(`origin.${origin}`)}
    </StatusPill>
  );
};

const NameCell = ({ row }: { readonly row: PricedModel }) => {
  const { t } = useTranslation('prices');
  const vendor = vendorOf(row.model);
  const isByCall = row.usd !== null && 'call' in row.usd;
  const meta = [
    vendor.name,
    ...(isByCall ? [t('byCall')] : []),
    ...(row.variants > 0 ? [t('variants', { count: row.variants })] : []),
  ].filter((text) => text !== '');
  return (
    <NamedCell name={row.model} mark={<ProviderIcon type={vendor.type} />} nameClass="price-model mono">
      {meta.join(' · ')}
    </NamedCell>
  );
};

/** A price, and the bundled list's if that differs. */
const Dollars = ({
  usd,
  listed,
}: {
  readonly usd: number | null | undefined;
  readonly listed: number | null | undefined;
}) => {
  const { t } = useTranslation('prices');
  if (usd === null || usd === undefined) return missing;
  const isOther = listed !== null && listed !== undefined && listed !== usd;
  return (
    <span className="price-lines">
      <span>
        <PriceText usd={usd} />
      </span>
      {isOther && (
        <span className="meta" data-tip={t('listPrice', { price: formatExactPrice(listed) })}>
          {formatPrice(listed)}
        </span>
      )}
    </span>
  );
};

/** The price of output if nobody has set it and the bundled list has none: that of input. */
const AsInput = ({ usd }: { readonly usd: number }) => {
  const { t } = useTranslation('prices');
  return (
    <span className="price-lines">
      <span>
        <PriceText usd={usd} />
      </span>
      <span className="meta tone-warn" data-tip={t('asInputTip')}>
        {t('asInput')}
      </span>
    </span>
  );
};

type Part = 'input' | 'output' | 'cache_read' | 'cache_write';

/** The price of a call stands in the column of input. */
const usdOf = ({ usd }: PricedModel, part: Part): number | null | undefined => {
  if (usd === null) return usd;
  if ('call' in usd) return part === 'input' ? usd.call : undefined;
  return usd[part];
};

const Price = ({ row, part }: { readonly row: PricedModel; readonly part: Part }) => {
  const usd = usdOf(row, part);
  const isByCall = row.usd !== null && 'call' in row.usd;
  if (part === 'output' && row.output_as_input && typeof usd === 'number' && !isByCall)
    return <AsInput usd={usd} />;
  return <Dollars usd={usd} listed={row.origin === 'own' && !isByCall ? row.catalogue?.[part] : null} />;
};

/** The columns of the list, made again only when the language changes. */
export const usePriceColumns = (): readonly Column<PricedModel>[] => {
  const { t } = useTranslation('prices');
  return useMemo(() => {
    const price = (id: Part, from?: 800 | 960): Column<PricedModel> => ({
      id,
      title: t(`column.${id}`),
      align: 'end',
      sortable: true,
      ...(from !== undefined && { from }),
      amount: (row) => {
        const usd = usdOf(row, id);
        return usd === null || usd === undefined ? '' : formatPrice(usd);
      },
      cell: (row) => <Price row={row} part={id} />,
    });
    return [
      {
        id: 'model',
        title: t('column.model'),
        sortable: true,
        card: 'title',
        cell: (row) => <NameCell row={row} />,
      },
      price('input'),
      price('output'),
      price('cache_read', 800),
      price('cache_write', 960),
      {
        id: 'origin',
        title: t('column.origin'),
        sortable: true,
        card: 'aside',
        cell: (row) => <Origin model={row} />,
      },
      {
        id: 'groups',
        title: t('column.groups'),
        optional: true,
        cell: (row) => <GroupChips names={row.groups} shown={2} />,
      },
    ];
  }, [t]);
};
