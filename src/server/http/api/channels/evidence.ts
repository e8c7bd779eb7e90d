import type * as contract from '#contract/api/channels/evidence.ts';
import { logType } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { EvidenceStore } from '#core/evidence/evidence.ts';
import {
  evidenceReport,
  evidenceRule,
  type ModelEvidence,
  type TokenReport,
} from '#core/evidence/evidence-report.ts';
import type { Handlers } from '../../handler.ts';
import type { MakeRowFile } from '../logs/row-files.ts';
import { DAY_MS } from '#core/time/spans.ts';

interface EvidenceDeps {
  readonly evidence: Pick<EvidenceStore, 'ofChannel' | 'ofOthers' | 'sealedDays'>;
  readonly rowFiles: MakeRowFile;
  readonly options: () => OptionValues;
  readonly clock: Pick<Clock, 'now'>;
}

/** What the replies of channels show about their upstreams. */
export const evidenceHandlers = ({
  evidence,
  rowFiles,
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
      return rowFiles(
        {
          channelId: params.id,
          type: logType.consume,
          fromMs: firstDay(query.days) * DAY_MS,
          withDetails: true,
          ...(query.model !== '' && { modelPart: query.model }),
        },
        { of: 'evidence', channelId: params.id, sealed },
      );
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
