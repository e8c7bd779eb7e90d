import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  cancelPricePreview,
  readPricePreview,
  startPricePreview,
} from '#contract/api/wallet/price-previews.ts';
import type { Data } from '#contract/endpoint.ts';
import { QUOTA_PER_UNIT, NANO_PER_USD } from '#contract/limits.ts';
import { Button } from '../../kit/button.tsx';
import { ProgressText } from '../../kit/texts/progress-text.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { Notice } from '../../kit/states.tsx';
import { call } from '../../lib/server/api.ts';
import { formatExact, formatMoney, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { type Compared, comparedMargin, comparedMoney } from './compared-money.ts';

type Run = Data<typeof readPricePreview>;
type Result = NonNullable<Run['result']>;
type Sum = Result['models'][number];

const LOOK_EVERY_MS = 400;
const BARS = 8;
const PERCENT = 100;
const unknown: Compared = { now: MISSING, draft: MISSING, more: MISSING };
const lengths = ['1', '7', '30', '90'] as const;

/** The preview: the calls of the last days, charged again by the draft. */
export const PreviewPanel = ({ draft }: { readonly draft: number }) => {
  const { t } = useTranslation('price-book');
  const [days, setDays] = useState<(typeof lengths)[number]>('7');
  const [id, setId] = useState<number>();
  const run = useQuery({
    queryKey: ['price-preview', id],
    queryFn: ({ signal }) => call(readPricePreview, { params: { id: id ?? 0 } }, signal),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK_EVERY_MS : false),
  });
  const start = useAction({
    run: () => call(startPricePreview, { body: { draft, days: Number(days) } }),
  });
  const cancel = useAction({
    run: (running: number) => call(cancelPricePreview, { params: { id: running } }),
    refresh: ['price-preview'],
  });
  const isRunning = id !== undefined && run.data?.state === 'running';
  const percent = Math.round((run.data?.progress ?? 0) * PERCENT);
  // A closed panel cancels its preview.
  useEffect(
    () => () => {
      if (id !== undefined) void call(cancelPricePreview, { params: { id } }).catch(() => undefined);
    },
    [id],
  );
  return (
    <section className="price-preview" aria-live="polite">
      <h3>{t('preview.title')}</h3>
      <div className="price-preview-bar">
        <Segmented
          label={t('preview.days')}
          value={days}
          options={lengths.map((value) => ({ value, label: t('preview.last', { count: Number(value) }) }))}
          onChange={setDays}
        />
        {isRunning ? (
          <Button onClick={() => cancel.mutate(id)}>{t('preview.cancel')}</Button>
        ) : (
          <Button
            busy={start.isPending}
            onClick={() => start.mutate(undefined, { onSuccess: (begun) => setId(begun.id) })}
          >
            {t('preview.start')}
          </Button>
        )}
      </div>
      {isRunning && <ProgressText percent={`${String(percent)}%`} label={t('preview.title')} />}
      {(run.data?.state === 'failed' || run.error !== null) && (
        <Notice tone="bad">{t('preview.failed')}</Notice>
      )}
      {run.data?.result !== null && run.data?.result !== undefined && <ResultView result={run.data.result} />}
    </section>
  );
};

const ResultView = ({ result }: { readonly result: Result }) => {
  const { t } = useTranslation('price-book');
  const perDollar = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  const { totals, left_out, models, users } = result;
  const dollars = (units: number): number => units / perDollar;
  const cost = totals.cost_nano_usd / NANO_PER_USD;
  const isCosted = totals.costed_now + totals.costed_draft + totals.cost_nano_usd > 0;
  const line = (id: string, title: string, { now, draft, more }: Compared) => ({
    id,
    cells: [title, now, draft, more],
  });
  const columns = [
    { title: t('preview.what') },
    { title: t('preview.now'), align: 'end' as const },
    { title: t('preview.draft'), align: 'end' as const },
    { title: t('preview.more'), align: 'end' as const },
  ];
  const compared = comparedMargin(
    [dollars(totals.now), dollars(totals.draft)],
    [dollars(totals.costed_now), dollars(totals.costed_draft)],
    cost,
  );
  return (
    <>
      <SmallTable
        label={t('preview.title')}
        columns={columns}
        rows={[
          line('revenue', t('preview.revenue'), compared.revenue),
          line('cost', t('preview.cost'), isCosted ? compared.cost : unknown),
          line('margin', t('preview.margin'), isCosted ? compared.margin : unknown),
        ]}
      />
      <p className="meta">
        {t('preview.read', {
          calls: formatExact(totals.count),
          seconds: (result.duration_ms / 1000).toFixed(1),
        })}
        {left_out.count > 0 && ` ${t('preview.leftOut', { calls: formatExact(left_out.count) })}`}
        {totals.unpriced_draft > 0 &&
          ` ${t('preview.unpriced', { calls: formatExact(totals.unpriced_draft) })}`}
      </p>
      <Bars sums={models.slice(0, BARS)} dollars={dollars} />
      {users.length > 0 && (
        <section>
          <h4>{t('preview.users')}</h4>
          <SmallTable
            label={t('preview.users')}
            columns={[{ title: t('preview.user') }, ...columns.slice(1)]}
            rows={users.map(({ id, name, now, draft }) =>
              line(String(id), name || `#${String(id)}`, comparedMoney([dollars(now), dollars(draft)])),
            )}
          />
        </section>
      )}
    </>
  );
};

/** The charges of each model at both prices, side by side. */
const Bars = ({
  sums,
  dollars,
}: {
  readonly sums: readonly Sum[];
  readonly dollars: (units: number) => number;
}) => {
  const { t } = useTranslation('price-book');
  const most = Math.max(1, ...sums.flatMap(({ now, draft }) => [now, draft]));
  const bar = (kind: 'now' | 'draft', units: number) => (
    <div className="price-bar" data-kind={kind}>
      <span style={{ width: `${(units / most) * PERCENT}%` }} />
      <span className="number meta">{formatMoney(dollars(units))}</span>
    </div>
  );
  return (
    <ul className="price-bars" aria-label={t('preview.byModel')}>
      {sums.map(({ id, name, now, draft }) => (
        <li key={id}>
          <span className="truncate">{name}</span>
          {bar('now', now)}
          {bar('draft', draft)}
        </li>
      ))}
      <li className="price-legend meta" aria-hidden>
        <i data-kind="now" /> {t('preview.now')} <i data-kind="draft" /> {t('preview.draft')}
      </li>
    </ul>
  );
};
