import { IconArrowLeft, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Button } from '../../../kit/button.tsx';
import { StackedBars } from '../../../kit/charts/stacked-bars.tsx';
import { Notice } from '../../../kit/states.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { useAction } from '../../../lib/server/query.ts';
import { formatCount, formatTime } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import type { Channel } from '../channel.ts';
import {
  type BillSettings,
  chartedMeasure,
  type Compared,
  formatBillMoney,
  formatDifference,
  formatMeasure,
  saveBill,
  shownMeasures,
} from './bill.ts';
import { BillLists } from './bill-lists.tsx';

interface BillResultProps {
  readonly compared: Compared;
  readonly bill: { readonly channel: Channel; readonly file: File; readonly settings: BillSettings };
  readonly signal: AbortSignal;
  readonly onBack: () => void;
}

/** While a result is shown, paper has it in place of the page below. */
const usePrintedAlone = (): void =>
  useEffect(() => {
    document.documentElement.classList.add('prints-dialog');
    return () => document.documentElement.classList.remove('prints-dialog');
  }, []);

/** Both sides in sums, by day, and line by line. */
export const BillResult = ({ compared, bill, signal, onBack }: BillResultProps) => {
  const { t } = useTranslation('channel-bill');
  usePrintedAlone();
  const save = useAction({
    run: () => saveBill(bill.channel, bill.file, bill.settings, signal),
    done: t('saved'),
  });
  return (
    <>
      <div className="bill-buttons page-actions">
        <Button icon={<IconArrowLeft size={16} />} onClick={onBack}>
          {t('back')}
        </Button>
        <Button icon={<IconDownload size={16} />} busy={save.isPending} onClick={() => save.mutate()}>
          {t('save')}
        </Button>
        <Button icon={<IconPrinter size={16} />} onClick={() => print()}>
          {t('print')}
        </Button>
      </div>
      <p className="meta">
        {t('of', {
          file: bill.file.name,
          from: formatTime(compared.from / 1000),
          until: formatTime(compared.until / 1000),
        })}
      </p>
      <Verdict compared={compared} />
      <Totals compared={compared} />
      <ByDay compared={compared} />
      <Apart compared={compared} />
      <BillLists compared={compared} />
    </>
  );
};

type Shown = Pick<BillResultProps, 'compared'>;

const Verdict = ({ compared: { lists } }: Shown) => {
  const { t } = useTranslation('channel-bill');
  const off = lists.differing.count + lists.missing_here.count + lists.missing_there.count;
  return off === 0 ? (
    <Notice tone="ok">{t('agrees', { count: lists.matched.count })}</Notice>
  ) : (
    <Notice tone="warn">
      {t('disagrees', {
        differing: lists.differing.count,
        here: lists.missing_here.count,
        there: lists.missing_there.count,
      })}
    </Notice>
  );
};

const Totals = ({ compared }: Shown) => {
  const { t } = useTranslation('channel-bill');
  const { currency, totals } = compared;
  const unknown = totals.ours.unknown_money;
  return (
    <section className="bill-part">
      <h3>{t('totals')}</h3>
      <SmallTable
        label={t('totals')}
        columns={[
          { title: t('measure') },
          { title: t('theirs'), align: 'end' },
          { title: t('ours'), align: 'end' },
          { title: t('difference'), align: 'end' },
        ]}
        rows={shownMeasures(compared).map((measure) => {
          const [theirs, ours] = [totals.theirs[measure], totals.ours[measure]];
          return {
            id: measure,
            cells: [
              t(`measures.${measure}`),
              formatMeasure(measure, theirs, currency),
              formatMeasure(measure, ours, currency),
              formatDifference(measure, ours - theirs, currency),
            ],
          };
        })}
      />
      {compared.measures.includes('money') && unknown > 0 && (
        <p className="meta">{t('unknownMoney', { calls: formatCount(unknown) })}</p>
      )}
    </section>
  );
};

const MARK_FROM = 5;

/** Both sides beside each other, day by day. */
const ByDay = ({ compared }: Shown) => {
  const { t } = useTranslation('channel-bill');
  const { days, currency } = compared;
  if (days.length < 2) return null;
  const measure = chartedMeasure(compared);
  const unit = measure === 'money' ? 1e9 : 1;
  const format = (value: number): string =>
    measure === 'money' ? formatBillMoney(value * unit, currency) : formatCount(value);
  const sides = [
    { side: 'theirs', colour: 'var(--chart-1)' },
    { side: 'ours', colour: 'var(--chart-2)' },
  ] as const;
  return (
    <section className="bill-part">
      <h3>{t('byDay', { measure: t(`measures.${measure}`) })}</h3>
      <StackedBars
        label={t('byDay', { measure: t(`measures.${measure}`) })}
        times={days.flatMap(({ day }, at) =>
          sides.map(({ side }, which) => ({
            full: `${day} · ${t(side)}`,
            // Both bars of a day share one mark.
            mark: which === 0 ? day.slice(MARK_FROM) : '',
            place: at * 2 + which,
          })),
        )}
        series={sides.map(({ side, colour }) => ({
          name: t(side),
          colour,
          values: days.flatMap((sums) =>
            sides.map((one) => (one.side === side ? Math.max(0, sums[side][measure] / unit) : 0)),
          ),
        }))}
        format={format}
        formatParts={(values) => ({
          parts: values.map(format),
          sum: format(values.reduce((sum, value) => sum + value, 0)),
        })}
        sumLabel={t(`measures.${measure}`)}
      />
    </section>
  );
};

const KINDS = ['attempt', 'test', 'hedge', 'sealed', 'killed'] as const;

/** What explains a difference: calls that no user has in their rows, and rows that were not compared. */
const Apart = ({ compared: { house, left_out: leftOut } }: Shown) => {
  const { t } = useTranslation('channel-bill');
  const rows = house.kinds.flatMap(({ kind, calls, cost_nano_usd: cost, uncosted }) => {
    const known = KINDS.find((one) => one === kind);
    const amount = formatBillMoney(cost, 'USD');
    return known === undefined
      ? []
      : [{ id: kind, cells: [t(`house.${known}`), formatCount(calls), amount, formatCount(uncosted)] }];
  });
  const left = (['totals', 'empty', 'other_keys', 'outside'] as const).filter((name) => leftOut[name] > 0);
  return (
    <section className="bill-part">
      <h3>{t('own')}</h3>
      <p className="meta">{t('ownAbout', { failed: formatCount(house.failed) })}</p>
      {rows.length > 0 && (
        <SmallTable
          label={t('own')}
          columns={[
            { title: t('kind') },
            { title: t('measures.calls'), align: 'end' },
            { title: t('measures.money'), align: 'end' },
            { title: t('uncosted'), align: 'end' },
          ]}
          rows={rows}
        />
      )}
      {left.length > 0 && (
        <p className="meta">
          {left.map((name) => t(`leftOut.${name}`, { count: formatCount(leftOut[name]) })).join(' ')}
        </p>
      )}
    </section>
  );
};
