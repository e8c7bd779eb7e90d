import type { z } from 'zod';
import { exportReconciled, readReconciledColumns, reconcileFile } from '#contract/api/wallet/reconcile.ts';
import type { Data } from '#contract/endpoint.ts';
import { NANO_PER_USD, RECONCILED_HEAD_BYTES } from '#contract/limits.ts';
import { type ComparedList, MATCHED_WITHIN_SECONDS } from '#contract/channel/reconcile.ts';
import { call } from '../../../lib/server/api.ts';
import { uploading } from '../../../lib/server/upload.ts';
import { downloadFile } from '../../../lib/server/download-file.ts';
import { formatExact, formatMoney } from '../../../lib/text/format.ts';
import { type Channel, readObject } from '../channel.ts';

export type Compared = Data<typeof reconcileFile>;
export type BillLook = Data<typeof readReconciledColumns>;
export type BillLine = Compared['lists'][ComparedList]['lines'][number];
export type Measure = Compared['measures'][number];

/** How a file is compared, as the form has it. */
export interface BillSettings {
  /** `''` for this channel only. */
  readonly tag: string;
  readonly columns: BillLook['columns'];
  readonly zone: string;
  readonly currency: string;
  readonly by: '' | 'call' | 'day';
  readonly key: string;
  readonly dateOrder: '' | 'day-first' | 'month-first';
  readonly decimal: '' | 'point' | 'comma';
  readonly withinSeconds: number;
}

/** What most files need: their own days are in UTC, and a channel is billed in the currency of its costs. */
export const firstSettings = (channel: Channel, look: BillLook): BillSettings => {
  const { cost } = readObject(channel.setting);
  const currency =
    typeof cost === 'object' && cost !== null && 'currency' in cost ? String(cost.currency) : 'USD';
  return {
    tag: '',
    columns: look.columns,
    zone: 'UTC',
    currency,
    by: '',
    key: '',
    dateOrder: '',
    decimal: '',
    withinSeconds: MATCHED_WITHIN_SECONDS.usual,
  };
};

/** Reads the titles and first rows of a file. */
export const lookAt = (file: File, signal: AbortSignal): Promise<BillLook> =>
  call(readReconciledColumns, { file: file.slice(0, RECONCILED_HEAD_BYTES) }, signal);

const queryOf = (channel: Channel, settings: BillSettings): z.input<typeof reconcileFile.query> => ({
  ...(settings.tag === '' ? { channels: String(channel.id) } : { tag: settings.tag }),
  columns: JSON.stringify(settings.columns),
  zone: settings.zone,
  currency: settings.currency,
  by: settings.by,
  key: settings.key,
  date_order: settings.dateOrder,
  decimal: settings.decimal,
  within_seconds: settings.withinSeconds,
});

/** Sends the file, of which `onSent` is told the part that has left, and gets the comparison. */
export const compareBill = (
  channel: Channel,
  file: File,
  settings: BillSettings,
  signal: AbortSignal,
  onSent: (part: number) => void,
): Promise<Compared> =>
  call(reconcileFile, { query: queryOf(channel, settings), file }, signal, uploading(onSent));

/** Sends the file again, and saves all lines of the comparison. */
export const saveBill = (
  channel: Channel,
  file: File,
  settings: BillSettings,
  signal: AbortSignal,
): Promise<void> =>
  downloadFile(
    exportReconciled,
    { query: queryOf(channel, settings), file },
    `reconciliation-${channel.id}.csv`,
    signal,
    () => undefined,
  );

const NANO_TO_SHOW = 1e6;

/** Billionths of a currency: `$1.25`, `1.25 CNY`. */
export const formatBillMoney = (nano: number, currency: string): string => {
  const size = Math.abs(nano);
  const text = formatMoney(size / NANO_PER_USD, size > 0 && size < NANO_TO_SHOW ? 6 : 2);
  const sign = nano < 0 ? '−' : '';
  return currency === 'USD' ? `${sign}${text}` : `${sign}${text.replace('$', '')} ${currency}`;
};

/** One value of a measure; undefined and null are not stated. */
export const formatMeasure = (measure: Measure, value: number, currency: string): string =>
  measure === 'money'
    ? formatBillMoney(value, currency)
    : `${value < 0 ? '−' : ''}${formatExact(Math.abs(value))}`;

/** With its sign. */
export const formatDifference = (measure: Measure, value: number, currency: string): string =>
  value > 0 ? `+${formatMeasure(measure, value, currency)}` : formatMeasure(measure, value, currency);

/** What is shown of sums: what the file states, and the calls where each row is one. */
export const shownMeasures = ({ measures, by }: Pick<Compared, 'measures' | 'by'>): readonly Measure[] =>
  by === 'call' && !measures.includes('calls') ? ['calls', ...measures] : measures;

/** What a chart shows: money if the file states it, else tokens, else calls. */
export const chartedMeasure = ({ measures }: Pick<Compared, 'measures'>): Measure =>
  (['money', 'input', 'output'] as const).find((measure) => measures.includes(measure)) ?? 'calls';

/** The lines that contain a text in their model or reference. */
export const linesWith = (lines: readonly BillLine[], text: string): readonly BillLine[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return lines;
  return lines.filter(({ model, ours, theirs }) =>
    [model, ours?.ref ?? '', theirs?.ref ?? ''].some((one) => one.toLowerCase().includes(wanted)),
  );
};
