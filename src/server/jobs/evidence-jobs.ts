import type { Lowered } from '#contract/options/evidence.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { EvidenceStore } from '#core/evidence/evidence.ts';
import { doubtful, evidenceRule } from '#core/evidence/evidence-report.ts';
import { timeToForget } from '#core/time/steady-time.ts';
import type { Log } from '#core/logging.ts';
import {
  createSealedQuestions,
  SEALED_EVERY_MS,
  type SealedDeps,
} from '../control/channels/checks/sealed-questions.ts';
import type { Job } from './every.ts';
import { DAY_MS } from '#core/time/spans.ts';

const JUDGE_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 3_600_000;
/** How many days a rule looks at, so that a channel that is honest again recovers after as many. */
const JUDGED_DAYS = 7;
const KEPT_DAYS = 90;
const MOST_LOWERED = 1000;

interface EvidenceJobStores extends Pick<SealedDeps, 'houseCosts' | 'counts' | 'users'> {
  readonly evidence: Pick<EvidenceStore, 'ofAll' | 'add' | 'deleteBefore'>;
  readonly options: Pick<OptionStore, 'set'>;
}

interface EvidenceJobParts {
  readonly relay: Pick<SealedDeps, 'testChannel'>;
  readonly random: Random;
  readonly routing: SealedDeps['routing'];
  readonly refreshRouting: () => Promise<unknown>;
}

/** Lowers the weight of channels by the operator's rule, and deletes old evidence. */
export const evidenceJobs = (
  stores: EvidenceJobStores,
  parts: EvidenceJobParts,
  clock: Clock,
  log: Log,
): readonly Job[] => {
  const { routing, relay, random } = parts;
  const timeMs = timeToForget(clock);
  const sealed = createSealedQuestions({ ...stores, routing, random, clock, testChannel: relay.testChannel });
  return [
    {
      name: 'judge channels by their replies',
      everyMs: JUDGE_EVERY_MS,
      run: () => judge(stores, parts, clock.now(), log),
    },
    { name: 'ask a sealed question', everyMs: SEALED_EVERY_MS, run: () => sealed.run() },
    {
      name: 'forget old evidence',
      everyMs: FORGET_EVERY_MS,
      run: () => stores.evidence.deleteBefore(Math.floor(timeMs() / DAY_MS) - KEPT_DAYS),
    },
  ];
};

const judge = async (
  { evidence, options }: EvidenceJobStores,
  { routing, refreshRouting }: EvidenceJobParts,
  nowMs: number,
  log: Log,
): Promise<void> => {
  const { options: values } = routing();
  const percent = values['evidence_setting.weight_percent'];
  const before = values['evidence_setting.lowered'];
  if (percent === 100 && Object.keys(before).length === 0) return;
  const lowered: Record<string, Lowered> = {};
  if (percent < 100) {
    const all = await evidence.ofAll(Math.floor(nowMs / DAY_MS) - JUDGED_DAYS + 1);
    const found = [...doubtful(all, evidenceRule(values))].toSorted(([left], [right]) => left - right);
    for (const [channelId, { model, finding }] of found.slice(0, MOST_LOWERED))
      lowered[String(channelId)] = { percent, model, finding };
  }
  const text = JSON.stringify(lowered);
  if (text === JSON.stringify(before)) return;
  for (const [channelId, why] of Object.entries(lowered))
    if (before[channelId] === undefined)
      log.warn('a channel has less weight', { channel: channelId, ...why });
  await options.set('evidence_setting.lowered', text, nowMs);
  await refreshRouting();
};
