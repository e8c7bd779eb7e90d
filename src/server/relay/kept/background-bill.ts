import { logType } from '#contract/codes.ts';
import { noUsage, type ToolCalls, type Usage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { chargeFor, type Charge } from '#core/quota/charge.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import { priceFrom, type PriceFactors, quotaOf } from '#core/quota/price.ts';
import type { Fields } from '../../dialects/openai/fields.ts';
import { tapWhole } from '../../dialects/openai-responses/tap.ts';
import type { Meter } from '../meter.ts';
import { openLog, priceFields, priceText } from '../record.ts';
import { known, type Running } from '../running.ts';

/** What somebody was shown of a response before it was over. */
export type Shown = Pick<Meter, 'reported' | 'produced' | 'outputBytes'> & {
  readonly toolCalls?: ToolCalls | undefined;
};

/** What the end of a response in the background is charged and logged by: prices may be others by then. */
export interface Bill {
  readonly factors: PriceFactors;
  readonly quotaPerUnit: number;
  readonly priceVersion: number;
  readonly heldUnits: number;
  readonly inputTokensEstimate: number;
  /** The row, but for what only the end tells. */
  readonly row: CallLog;
  readonly shown: Shown;
}

/** How far a response has come: its status, or that nobody knows it any more. */
export type LastWord = { readonly response: Fields } | { readonly lost: string };

/** A bill as the database kept it. */
export const readBill = (text: string): Bill => JSON.parse(text) as Bill;

const UNFINISHED: ReadonlySet<unknown> = new Set(['queued', 'in_progress']);
const WHOLE: ReadonlySet<unknown> = new Set(['completed', 'incomplete']);

/** Whether a response says of itself that it is still being made. */
export const isUnfinished = (response: Fields): boolean => UNFINISHED.has(response['status']);

/** Whether a body is a response that has come to its end. */
export const isOver = (response: Fields): boolean =>
  typeof response['status'] === 'string' && !isUnfinished(response);

/** What charging a call needs once the call itself is gone; kept in the database as JSON. */
export const billOf = (running: Running, shown = shownOf(running.meter)): Bill => ({
  factors: known(running.price, 'hold').factors,
  quotaPerUnit: running.routing.options.QuotaPerUnit,
  priceVersion: running.routing.priceVersion,
  heldUnits: running.heldUnits,
  inputTokensEstimate: known(running.asked, 'read').facts.inputTokensEstimate,
  row: openLog(running),
  shown,
});

export const shownOf = ({ reported, produced, outputBytes, toolCalls, seenCalls }: Meter): Shown => ({
  reported,
  produced,
  outputBytes,
  toolCalls: toolCalls ?? seenCalls,
});

/** Both of two looks at one response. */
export const mergeShown = (one: Shown, other: Shown): Shown => ({
  reported: other.reported === undefined ? one.reported : mergeReports(one.reported, other.reported),
  produced: one.produced || other.produced,
  outputBytes: Math.max(one.outputBytes, other.outputBytes),
  toolCalls: other.toolCalls ?? one.toolCalls,
});

/** What a response shows of itself where it stands. */
export const shownBy = (response: Fields): Shown => {
  const { usage, content, outputBytes, toolCalls } = tapWhole(response);
  return { reported: usage, produced: content === true, outputBytes: outputBytes ?? 0, toolCalls };
};

/** The rule of docs/billing.md: reported usage; else what was shown or is there to be seen; else nothing. */
export const chargeOf = (bill: Bill, word: LastWord): Charge => {
  const response = 'response' in word ? word.response : {};
  const shown = mergeShown(bill.shown, shownBy(response));
  return chargeFor({
    ...shown,
    produced: shown.produced || WHOLE.has(response['status']),
    inputTokensEstimate: bill.inputTokensEstimate,
    complete: isOver(response),
  });
};

/** What a charge comes to, and its row. */
export const chargedRow = (
  bill: Bill,
  word: LastWord,
  usage: Usage,
  nowMs: number,
): { readonly quotaUnits: number; readonly log: CallLog } => {
  const price = priceFrom(bill.factors, bill.quotaPerUnit);
  const quotaUnits = quotaOf(price, usage) ?? bill.heldUnits;
  const fields = priceFields({ price, priceVersion: bill.priceVersion, heldUnits: bill.heldUnits }, usage);
  const row = endedRow(bill, word, nowMs, fields);
  return { quotaUnits, log: { ...row, usage, quotaUnits, content: priceText(price) } };
};

/** The row of a response that cost nothing. */
export const freeRow = (bill: Bill, word: LastWord, nowMs: number): CallLog => {
  const content = 'lost' in word ? word.lost : `the response ended ${statusOf(word)}`;
  const fields = { error_type: 'background', error_code: statusOf(word), status_code: 0 };
  return { ...endedRow(bill, word, nowMs, fields), type: logType.error, usage: noUsage, content };
};

const statusOf = (word: LastWord): string => {
  if ('lost' in word) return 'lost';
  const { status } = word.response;
  return typeof status === 'string' ? status : 'unknown';
};

const endedRow = ({ row }: Bill, word: LastWord, nowMs: number, fields: Fields): CallLog => ({
  ...row,
  useTimeMs: Math.max(0, nowMs - row.createdAtMs),
  other: JSON.stringify({
    ...fields,
    ...(JSON.parse(row.other) as Fields),
    background_status: statusOf(word),
  }),
});
