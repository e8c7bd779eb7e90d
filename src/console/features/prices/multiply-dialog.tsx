import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialogs/dialog.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import type { View } from '../../kit/resource-table/column.ts';
import { Segmented } from '../../kit/segmented.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { ErrorState, Notice, Skeleton } from '../../kit/states.tsx';
import { formatExactPrice, formatPrice, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { toast } from '../../lib/toasts.ts';
import { asBefore, loadAllPrices, savePrices } from './price-calls.ts';
import { useChange } from './use-change.tsx';
import {
  dollarsOfSet,
  multiplied,
  type MultipliedPart,
  multipliedParts,
  type PriceChange,
  type PricedModel,
  PRICES,
  type SetPrice,
} from './price.ts';
import { useDollarsOfRatio } from './use-price-draft.ts';

interface MultiplyDialogProps {
  /** The selected models, or the filters that select them. */
  readonly of: readonly PricedModel[] | Pick<View, 'search' | 'filters' | 'sort'>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The most rows of the preview; the rest is shown as a number. */
const PREVIEWED = 100;
const MOST = 1000;

interface Step {
  readonly row: PricedModel;
  readonly set: SetPrice;
}

/** Multiplies many prices by a number: the results are shown before saving, and saving can be undone. */
const MultiplyDialog = ({ of, onClose, onDone }: MultiplyDialogProps) => {
  const { t } = useTranslation('prices');
  const [factor, setFactor] = useState<number | undefined>(1.1);
  const [part, setPart] = useState<MultipliedPart>('all');
  const isChosen = 'length' in of;
  const query = useQuery({
    queryKey: [PRICES, 'all', isChosen ? of.map(({ model }) => model) : of],
    queryFn: async ({ signal }) => (isChosen ? { rows: of, total: of.length } : loadAllPrices(of, signal)),
    staleTime: 0,
    gcTime: 0,
  });
  const rows = query.data?.rows ?? [];
  const isFactor = factor !== undefined && factor > 0 && factor <= MOST && factor !== 1;
  const steps: readonly Step[] = isFactor
    ? rows.flatMap((row) => {
        const set = multiplied(row, factor, part);
        return set === undefined ? [] : [{ row, set }];
      })
    : [];
  const change = useChange(
    t('change.multiplied', { factor: factor ?? '', part: t(`multiply.parts.${part}`) }),
  );
  const back = useAction({
    run: ({ models, base }: { readonly models: readonly PriceChange[]; readonly base: number }) =>
      savePrices(models, { reason: t('change.undone'), base }),
    refresh: [PRICES],
  });
  const undo = (models: readonly PriceChange[], base: number): void =>
    back.mutate(
      { models, base },
      {
        onSuccess: (version) => toast('ok', t(version === undefined ? 'change.waiting' : 'multiply.undone')),
      },
    );
  const save = useAction({
    run: () =>
      change.save(
        steps.map(({ row, set }) => ({ model: row.model, ...set })),
        steps.map(({ row }) => row),
      ),
    refresh: [PRICES],
  });
  const apply = (): void => {
    const before = steps.map(({ row }) => asBefore(row));
    save.mutate(undefined, {
      onSuccess: (base) => {
        onDone();
        onClose();
        const done = change.saidOf(t('multiply.done', { count: before.length, factor }), base);
        if (base === undefined || !change.isNow) return toast('ok', done);
        toast('ok', done, { label: t('multiply.undo'), run: () => undo(before, base) });
      },
    });
  };
  return (
    <Dialog
      title={t('multiply.title')}
      width={720}
      onClose={onClose}
      foot={
        <Button variant="primary" disabled={steps.length === 0} busy={save.isPending} onClick={apply}>
          {t('multiply.apply', { count: steps.length })}
        </Button>
      }
    >
      <div className="multiply-head">
        <NumberField
          label={t('multiply.factor')}
          value={factor}
          min={0}
          max={MOST}
          step="any"
          unit="×"
          error={
            factor !== undefined && !isFactor && factor !== 1
              ? t('multiply.wrong', { most: MOST })
              : undefined
          }
          onChange={setFactor}
        />
        <Segmented
          label={t('multiply.part')}
          value={part}
          options={multipliedParts.map((value) => ({ value, label: t(`multiply.parts.${value}`) }))}
          onChange={setPart}
        />
      </div>
      {part === 'input' && <p className="meta">{t('multiply.alongInput')}</p>}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data === undefined && !query.isError && <Skeleton height={200} />}
      {query.data !== undefined && (
        <>
          {query.data.total > rows.length && (
            <Notice tone="warn">
              {t('multiply.tooMany', { most: rows.length, listed: query.data.total })}
            </Notice>
          )}
          <p className="meta" role="status">
            {t('multiply.about', { changed: steps.length, left: rows.length - steps.length })}
          </p>
          {steps.length > 0 && <Preview steps={steps} />}
          {change.fields}
        </>
      )}
    </Dialog>
  );
};

/** As in lists; with every digit if both would look the same. */
const fromTo = (before: number | null | undefined, after: number | null | undefined): ReactNode => {
  if (before === null || before === undefined || after === null || after === undefined) return MISSING;
  if (before === after) return <span className="tone-muted">{formatPrice(before)}</span>;
  const format = formatPrice(before) === formatPrice(after) ? formatExactPrice : formatPrice;
  return `${format(before)} → ${format(after)}`;
};

const Preview = ({ steps }: { readonly steps: readonly Step[] }) => {
  const { t } = useTranslation('prices');
  const perRatio = useDollarsOfRatio();
  return (
    <SmallTable
      label={t('multiply.preview')}
      isStackable
      columns={[
        { title: t('column.model') },
        { title: t('column.input'), align: 'end' },
        { title: t('column.output'), align: 'end' },
        { title: t('column.cache_read'), align: 'end' },
      ]}
      rows={steps.slice(0, PREVIEWED).map(({ row, set }) => {
        const { usd } = row;
        const after = dollarsOfSet(set, row.usual, perRatio);
        const isByCall = usd !== null && 'call' in usd;
        return {
          id: row.model,
          cells: [
            <span key="model" className="mono multiply-name">
              {row.model}
            </span>,
            isByCall ? fromTo(usd.call, set.price) : fromTo(usd?.input, after?.input),
            isByCall ? (
              <span key="output" className="tone-muted">
                {t('byCall')}
              </span>
            ) : (
              fromTo(usd?.output, after?.output)
            ),
            isByCall || usd?.cache_read === null ? MISSING : fromTo(usd?.cache_read, after?.cacheRead),
          ],
        };
      })}
    />
  );
};

export default MultiplyDialog;
