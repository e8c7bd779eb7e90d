import { parsed } from '#contract/json-text.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { NANO_PER_USD } from '#contract/limits.ts';
import type { SealedDay } from '#core/evidence/evidence.ts';
import { fieldsOf } from '#core/json/fields.ts';
import type { LogRow } from '#core/log/log.ts';
import type { LogExport } from '#core/log/log-store.ts';
import type { Download } from '../../handler.ts';
import { inPieces, usd } from '../logs/log-csv.ts';
import { DAY_MS } from '#core/time/spans.ts';

/** What a file for a dispute shows beside the calls of a channel. */
export interface Evidence {
  readonly channelId: number;
  readonly sealed: readonly SealedDay[];
}

/** A row, with what its details show about the upstream. */
interface Disputed {
  readonly row: LogRow;
  readonly asked: string;
  readonly named: string;
  /** What the upstream reported, also if something else was charged; empty if it reported nothing. */
  readonly told: {
    readonly prompt: number | string;
    readonly completion: number | string;
    readonly cached: number | string;
  };
  readonly details: Readonly<Record<string, unknown>>;
  readonly evidence: Readonly<Record<string, unknown>>;
}

const disputed = (row: LogRow): Disputed => {
  const details = fieldsOf(parsed(row.other));
  const info = fieldsOf(details['admin_info']);
  const evidence = fieldsOf(info['evidence']);
  const { upstream_model_name: mapped } = details;
  const asked = typeof mapped === 'string' ? mapped : row.model;
  const { model = '' } = evidence;
  return { row, asked, named: String(model), told: toldIn(row, details, info), details, evidence };
};

const toldIn = (
  { promptTokens, completionTokens }: LogRow,
  { reported_usage: reported, cache_tokens: cached }: Disputed['details'],
  { local_count_tokens: isOurs }: Disputed['details'],
): Disputed['told'] => {
  if (isOurs === true) return { prompt: '', completion: '', cached: '' };
  if (reported === undefined)
    return { prompt: promptTokens, completion: completionTokens, cached: numberIn(cached) };
  const { prompt_tokens, completion_tokens } = fieldsOf(reported);
  return { prompt: numberIn(prompt_tokens), completion: numberIn(completion_tokens), cached: '' };
};

const numberIn = (value: unknown): number | string => (typeof value === 'number' ? value : '');

/**
 * Columns for the upstream itself, in terms of its own records: it sees no users, no tokens, and nothing of what they
 * pay.
 */
const columns: readonly (readonly [string, (disputed: Disputed) => string | number])[] = [
  ['time', ({ row }) => new Date(row.createdAtMs).toISOString()],
  ['request_id', ({ row }) => row.requestId],
  ['model_asked', ({ asked }) => asked],
  // Empty if the reply named no model, or the same one.
  ['other_model_named', ({ named }) => named],
  ['prompt_tokens_told', ({ told }) => told.prompt],
  ['prompt_tokens_counted', ({ evidence }) => numberIn(evidence['prompt'])],
  ['completion_tokens_told', ({ told }) => told.completion],
  ['completion_tokens_counted', ({ evidence }) => numberIn(evidence['output'])],
  // Part of the completion. Thoughts are not shown, so there is nothing to count.
  ['reasoning_tokens_told', ({ details }) => numberIn(fieldsOf(details['usage'])['reasoningTokens'])],
  ['cache_read_tokens_told', ({ told }) => told.cached],
  ['first_token_ms', ({ details }) => (Number(details['frt']) >= 0 ? numberIn(details['frt']) : '')],
  ['duration_ms', ({ row }) => row.useTimeMs],
  // Empty if it is unknown, which is not 0.
  ['cost_usd', ({ row: { costNano } }) => (costNano === undefined ? '' : usd(costNano / NANO_PER_USD))],
];

/** Columns after those of calls: daily sums, because the questions themselves are not stored. */
const sealedColumns = ['sealed_question_answered', 'sealed_questions'] as const;

/** A line for a day; fields that only calls have stay empty. */
const sealedLine = ({ day, model, verdict, questions }: SealedDay): (string | number)[] => [
  ...columns.map(([name]) => {
    if (name === 'time') return new Date(day * DAY_MS).toISOString().slice(0, 10);
    return name === 'model_asked' ? model : '';
  }),
  verdict,
  questions,
];

/** Calls of a channel with their details as a CSV file, then a line for each day of sealed questions. */
export const evidenceFile = (
  { total, pages }: LogExport,
  { channelId, sealed }: Evidence,
  rowsAPiece: number,
): Download => ({
  fileName: `evidence-${String(channelId)}.csv`,
  contentType: 'text/csv; charset=utf-8',
  rows: total + sealed.length,
  async *pieces() {
    const lineOf = (row: LogRow): string => {
      const shown = disputed(row);
      return csvLine([...columns.map(([, value]) => value(shown)), ...sealedColumns.map(() => '')]);
    };
    yield BYTE_ORDER_MARK + csvLine([...columns.map(([name]) => name), ...sealedColumns]);
    yield* inPieces(pages, rowsAPiece, lineOf);
    yield sealed.map((one) => csvLine(sealedLine(one))).join('');
  },
});
