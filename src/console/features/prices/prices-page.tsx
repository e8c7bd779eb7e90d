import './prices.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconPercentage, IconPlus } from '@tabler/icons-react';
import { Suspense, useMemo, useState } from 'react';
import { listGroups } from '#contract/api/site/names.ts';
import { listModelPrices } from '#contract/api/wallet/model-prices.ts';
import { priceOrigins } from '#contract/price-factors.ts';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { confirm } from '../../kit/dialogs/dialogs.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { BatchButton } from '../../kit/resource-table/batch-button.tsx';
import type { View } from '../../kit/resource-table/column.ts';
import type { Filter } from '../../kit/resource-table/filter.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { call, callWhole } from '../../lib/server/api.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { CLOSING, useUrlState } from '../../lib/browser/url-state.ts';
import { asBefore, loadPrices, savePrices } from './price-calls.ts';
import { usePriceColumns } from './price-columns.tsx';
import { NO_PRICE, type PriceChange, type PricedModel, PRICES } from './price.ts';

const loadDrawer = () => import('./price-drawer.tsx');
const PriceDrawer = late(loadDrawer);
const MultiplyDialog = late(() => import('./multiply-dialog.tsx'));

/** Lists identify rows by number, but models have names: a name keeps its number while the page is open. */
const numbers = new Map<string, number>();
const idOf = ({ model }: PricedModel): number => {
  const known = numbers.get(model) ?? numbers.size + 1;
  numbers.set(model, known);
  return known;
};
const nameOf = ({ model }: PricedModel): string => model;

const MINUTE_MS = 60_000;
interface Setting {
  readonly models: readonly PriceChange[];
  readonly reason: string;
  readonly base: number;
}

const useFilters = (): readonly Filter[] => {
  const { t } = useTranslation('prices');
  const groups = useQuery({
    queryKey: ['group-names'],
    queryFn: () => call(listGroups),
    staleTime: MINUTE_MS,
    meta: { isAside: true },
  }).data;
  const { data: counts } = useQuery({
    queryKey: [PRICES, 'counts'],
    queryFn: async ({ signal }) => {
      const answer = await callWhole(listModelPrices, { query: { page_size: 1 } }, signal);
      return answer['counts'] as Readonly<Record<PricedModel['origin'], number>>;
    },
    staleTime: MINUTE_MS,
    meta: { isAside: true },
  });
  return useMemo(
    () => [
      {
        id: 'origin',
        kind: 'segments',
        label: t('column.origin'),
        choices: [
          {
            value: '',
            label: t('all'),
            ...(counts && { count: priceOrigins.reduce((sum, origin) => sum + counts[origin], 0) }),
          },
          ...priceOrigins.map((value) => ({
            value,
            label: t(`origin.${value}`),
            ...(counts && { count: counts[value] }),
          })),
        ],
      },
      {
        id: 'group',
        kind: 'select',
        label: t('group'),
        choices: (groups ?? []).map((name) => ({ value: name, label: name })),
      },
    ],
    [t, counts, groups],
  );
};

/** The prices of all offered models, and their sources. */
const PricesPage = () => {
  const { t } = useTranslation('prices');
  const columns = usePriceColumns();
  const filters = useFilters();
  const [url, patch] = useUrlState();
  const edited = url['edit'] ?? '';
  const [multiplied, setMultiplied] = useState<{
    readonly of: readonly PricedModel[] | Pick<View, 'search' | 'filters' | 'sort'>;
    readonly clear: () => void;
  }>();
  const set = useAction({
    run: ({ models, reason, base }: Setting) => savePrices(models, { reason, base }),
    refresh: [PRICES],
  });
  const forget = async (rows: readonly PricedModel[], clear: () => void): Promise<void> => {
    const own = rows.filter(({ origin }) => origin === 'own');
    if (own.length === 0) return toast('info', t('forget.none'));
    const question = {
      title: t('forget.title', { count: own.length }),
      text: t('forget.text'),
      action: t('forget.action'),
      danger: true,
    };
    if (!(await confirm(question))) return;
    const onSuccess = (base: number | undefined): void => {
      clear();
      if (base === undefined) return toast('ok', t('change.waiting'));
      const run = (): void => set.mutate({ models: own.map(asBefore), reason: t('change.undone'), base });
      toast('ok', t('forget.done', { count: own.length }), { label: t('multiply.undo'), run });
    };
    const models = own.map(({ model }) => ({ model, ...NO_PRICE }));
    const base = Math.min(...own.map(({ version }) => version));
    set.mutate({ models, reason: t('change.forgotten'), base }, { onSuccess });
  };
  const filtered = {
    search: url['q'] ?? '',
    filters: { origin: url['origin'] ?? '', group: url['group'] ?? '' },
    sort: undefined,
  };
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <ResourceTable
        name={PRICES}
        label={t('title')}
        columns={columns}
        filters={filters}
        rowId={idOf}
        rowName={nameOf}
        load={loadPrices}
        searchLabel={t('search')}
        tools={(chosen) => (
          <Button
            icon={<IconPercentage size={16} />}
            onClick={() =>
              setMultiplied({ of: chosen.length > 0 ? chosen : filtered, clear: () => undefined })
            }
          >
            {t('multiply.open')}
          </Button>
        )}
        batch={(rows, clear) => (
          <>
            <BatchButton onClick={() => setMultiplied({ of: rows, clear })}>{t('multiply.open')}</BatchButton>
            <BatchButton onClick={() => void forget(rows, clear)}>{t('forget.action')}</BatchButton>
          </>
        )}
        onEdit={({ model }) => patch({ edit: model })}
        prepareEdit={loadDrawer}
        emptyText={t('empty')}
        emptyAction={
          <Link to="/channel" search={{ edit: 'new' }} className="button button-primary">
            <IconPlus size={16} />
            {t('addChannel')}
          </Link>
        }
      />
      <Suspense>
        {edited !== '' && (
          <PriceDrawer key={edited} model={edited} onClose={() => patch({ edit: undefined }, CLOSING)} />
        )}
        {multiplied !== undefined && (
          <MultiplyDialog
            of={multiplied.of}
            onClose={() => setMultiplied(undefined)}
            onDone={multiplied.clear}
          />
        )}
      </Suspense>
    </>
  );
};

export default PricesPage;
