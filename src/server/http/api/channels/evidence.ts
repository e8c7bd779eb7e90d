import { NANO_PER_USD } from '#contract/limits.ts';
import type * as contract from '#contract/api/channels/evidence.ts';
import { logType } from '#contract/codes.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import type { OptionValues } from '#contract/options.ts';
import { parsed } from '#contract/json-text.ts';
import type { Clock } from '#core/clock.ts';
import type { EvidenceStore, SealedDay } from '#core/evidence/evidence.ts';
import {
  evidenceReport,
  evidenceRule,
  type ModelEvidence,
  type TokenReport,
} from '#core/evidence/evidence-report.ts';
import { fieldsOf } from '#core/json/fields.ts';
import type { LogRow } from '#core/log/log.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Handlers } from '../../handler.ts';
import { usd } from '../logs/log-csv.ts';

interface EvidenceDeps {
  readonly evidence: Pick<EvidenceStore, 'ofChannel' | 'ofOthers' | 'sealedDays'>;
  readonly logs: Pick<LogStore, 'export'>;
  readonly options: () => OptionValues;
  readonly clock: Pick<Clock, 'now'>;
}

const DAY_MS = 86_400_000;

/** What the replies of channels show about their upstreams. */
export const evidenceHandlers = ({
  evidence,
  logs,
  options,
  clock,
}: EvidenceDeps): Handlers<typeof contract> => {
  const firstDay = (days: number): number => Math.floor(clock.now() / DAY_MS) - days + 1;
  return {
    readEvidence: async ({ params, query }) => {
      const fromDay = firstDay(query.days);
      const [own, others] = await Promise.all([
        evidence.ofChannel(params.id, fromDay),
        evidence.ofOthers(params.id, fromDay),
      ]);
      const lowered = options()['evidence_setting.lowered'][String(params.id)];
      return {
        models: evidenceReport(own, others, evidenceRule(options())).map(wire),
        lowered: lowered ?? null,
      };
    },
    exportEvidence: async ({ params, query }) => {
      const sealed = (await evidence.sealedDays(params.id, firstDay(query.days))).filter(({ model }) =>
        isMeant(model, query.model),
      );
      const { total, pages } = await logs.export({
        channelId: params.id,
        type: logType.consume,
        fromMs: firstDay(query.days) * DAY_MS,
        withDetails: true,
        ...(query.model !== '' && { modelPart: query.model }),
      });
      return {
        fileName: `evidence-${String(params.id)}.csv`,
        contentType: 'text/csv; charset=utf-8',
        rows: total + sealed.length,
        async *pieces() {
          yield BYTE_ORDER_MARK + csvLine([...columns.map(([name]) => name), ...sealedColumns]);
          for await (const page of pages)
            yield page
              .map((row) => disputed(row))
              .map((row) =>
                csvLine([...columns.map(([, value]) => value(row)), ...sealedColumns.map(() => '')]),
              )
              .join('');
          yield sealed.map((one) => csvLine(sealedLine(one))).join('');
        },
      };
    },
  };
};

/** Filters like calls: the full name after `=`, else a part of it. */
const isMeant = (model: string, asked: string): boolean =>
  asked.startsWith('=') ? model === asked.slice(1) : model.toLowerCase().includes(asked.trim().toLowerCase());

const orNull = (value: number | undefined): number | null => value ?? null;

const tokensWire = ({ calls, median, medianOfOthers, tokensOver }: TokenReport) => ({
  calls,
  median: orNull(median),
  median_of_others: orNull(medianOfOthers),
  tokens_over: tokensOver,
});

const wire = (one: ModelEvidence) => ({
  model: one.model,
  calls: one.calls,
  tokens: one.tokens,
  named: one.named,
  named_other: one.namedOther,
  other_names: [...one.otherNames],
  output: tokensWire(one.output),
  prompt: tokensWire(one.prompt),
  first_token_ms: {
    calls: one.firstTokenMs.calls,
    p50: orNull(one.firstTokenMs.p50),
    p95: orNull(one.firstTokenMs.p95),
  },
  cache: {
    calls: one.cache.calls,
    tokens: one.cache.tokens,
    impossible: one.cache.impossible,
    never_sent: one.cache.neverSent,
  },
  sealed: {
    asked: one.sealed.asked,
    wrong: one.sealed.wrong,
    wrong_of_others: orNull(one.sealed.wrongOfOthers),
  },
  findings: [...one.findings],
});

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
