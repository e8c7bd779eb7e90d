import type { OptionValues } from '#contract/options.ts';
import type { Lowered } from '#contract/options/evidence.ts';
import { type EvidenceSum, MORE_THAN_PROMPT, NEVER_SENT, quantile, TOLD } from './evidence.ts';

/** When there is enough evidence to act on. */
export interface EvidenceRule {
  /** The least number of calls to judge by. */
  readonly leastCalls: number;
  /** The share of replies that may name another model. */
  readonly otherModelShare: number;
  /** How far the reported tokens, compared with our count, may exceed those of other channels, as a factor. */
  readonly tokenExcess: number;
}

/** The rule as the operator set it, with percent converted to shares. */
export const evidenceRule = (options: OptionValues): EvidenceRule => ({
  leastCalls: options['evidence_setting.least_calls'],
  otherModelShare: options['evidence_setting.other_model_percent'] / 100,
  tokenExcess: options['evidence_setting.token_percent'] / 100,
});

/** What the evidence can show against an upstream. */
export type Finding = Lowered['finding'] | 'impossible_cache' | 'impossible_usage';

/** How the reported tokens compare with our own count. */
export interface TokenReport {
  readonly calls: number;
  /** The median of reported tokens divided by counted ones; undefined without calls. */
  readonly median: number | undefined;
  /** The same median over all other channels that answered for the model. */
  readonly medianOfOthers: number | undefined;
  /** The sum of reported minus counted tokens; may be negative. */
  readonly tokensOver: number;
}

/** What the replies of one channel show for one model. */
export interface ModelEvidence {
  readonly model: string;
  readonly calls: number;
  readonly tokens: number;
  /** Replies that named a model, and those that named another one; those by name, most frequent first. */
  readonly named: number;
  readonly namedOther: number;
  readonly otherNames: readonly { readonly name: string; readonly calls: number }[];
  readonly output: TokenReport;
  readonly prompt: TokenReport;
  readonly firstTokenMs: {
    readonly calls: number;
    readonly p50: number | undefined;
    readonly p95: number | undefined;
  };
  readonly cache: {
    readonly calls: number;
    readonly tokens: number;
    readonly impossible: number;
    /** Cache reads of text that was never sent there before. */
    readonly neverSent: number;
  };
  /** Questions with known answers. */
  readonly sealed: {
    readonly asked: number;
    readonly wrong: number;
    /** The share of wrong answers of all other channels, from 0 to 1; undefined if too few questions were asked. */
    readonly wrongOfOthers: number | undefined;
  };
  readonly findings: readonly Finding[];
}

const NAMES_SHOWN = 8;

const byModel = <Sum extends EvidenceSum>(sums: readonly Sum[]): ReadonlyMap<string, readonly Sum[]> =>
  Map.groupBy(sums, ({ model }) => model);

const callsOf = (sums: readonly EvidenceSum[]): number => sums.reduce((total, { calls }) => total + calls, 0);
const amountOf = (sums: readonly EvidenceSum[]): number =>
  sums.reduce((total, { amount }) => total + amount, 0);
const measured = (sums: readonly EvidenceSum[], measure: string): EvidenceSum[] =>
  sums.filter((sum) => sum.measure === measure);

const tokensOf = (
  measure: 'output' | 'prompt',
  own: readonly EvidenceSum[],
  others: readonly EvidenceSum[],
  leastCalls: number,
): TokenReport => {
  const sums = measured(own, measure);
  const peers = measured(others, measure);
  return {
    calls: callsOf(sums),
    median: quantile(sums, 0.5),
    medianOfOthers: callsOf(peers) < leastCalls ? undefined : quantile(peers, 0.5),
    tokensOver: amountOf(sums),
  };
};

/** With fewer sealed questions nothing is concluded, because a single answer would count too much. */
const LEAST_SEALED = 10;
/**
 * Any model may be wrong. A channel is only suspect if it is wrong more often than others, by at least this share of
 * the questions.
 */
const WRONG_BEYOND_OTHERS = 0.3;
/** The least number of false cache reads; a single one may be an accounting mistake. */
const LEAST_NEVER_SENT = 2;

const sealedOf = (own: readonly EvidenceSum[], others: readonly EvidenceSum[]): ModelEvidence['sealed'] => {
  const wrongIn = (sums: readonly EvidenceSum[]) => callsOf(sums.filter(({ detail }) => detail === 'wrong'));
  const judged = (sums: readonly EvidenceSum[]) =>
    measured(sums, 'sealed').filter(({ detail }) => detail !== 'unclear');
  const [asked, peers] = [judged(own), judged(others)];
  const ofPeers = callsOf(peers);
  return {
    asked: callsOf(asked),
    wrong: wrongIn(asked),
    wrongOfOthers: ofPeers < LEAST_SEALED ? undefined : wrongIn(peers) / ofPeers,
  };
};

const isWrongTooOften = ({ asked, wrong, wrongOfOthers }: ModelEvidence['sealed']): boolean =>
  asked >= LEAST_SEALED && wrongOfOthers !== undefined && wrong / asked > wrongOfOthers + WRONG_BEYOND_OTHERS;

const isExcess = ({ calls, median, medianOfOthers }: TokenReport, rule: EvidenceRule): boolean =>
  calls >= rule.leastCalls &&
  median !== undefined &&
  // Texts differ, so only channels that answered for the same model are compared.
  medianOfOthers !== undefined &&
  median > medianOfOthers * rule.tokenExcess;

/** Honest channels report such thoughts in at most this share of their calls. */
const HIDDEN_OF_OTHERS = 0.02;
/** A channel is suspect if it reports them in more than this share. */
const HIDDEN_MOST = 0.2;

/** Whether it reports tokens for thoughts that nobody asked for or saw, while no other channel of the model does. */
const hidesTokens = (
  own: readonly EvidenceSum[],
  others: readonly EvidenceSum[],
  leastCalls: number,
): boolean => {
  const shareOf = (sums: readonly EvidenceSum[]): number | undefined => {
    const judged = measured(sums, 'hidden');
    const calls = callsOf(judged);
    return calls < leastCalls ? undefined : callsOf(judged.filter(({ detail }) => detail === TOLD)) / calls;
  };
  const [share, ofOthers] = [shareOf(own), shareOf(others)];
  return share !== undefined && ofOthers !== undefined && share > HIDDEN_MOST && ofOthers <= HIDDEN_OF_OTHERS;
};

const ofModel = (
  model: string,
  own: readonly EvidenceSum[],
  others: readonly EvidenceSum[],
  rule: EvidenceRule,
): ModelEvidence => {
  const named = measured(own, 'named');
  const strange = named
    .filter(({ detail }) => detail !== '')
    .toSorted((left, right) => right.calls - left.calls);
  const output = tokensOf('output', own, others, rule.leastCalls);
  const prompt = tokensOf('prompt', own, others, rule.leastCalls);
  const times = measured(own, 'first_token');
  const reads = measured(own, 'cache');
  const impossible = callsOf(reads.filter(({ detail }) => detail === MORE_THAN_PROMPT));
  const neverSent = callsOf(reads.filter(({ detail }) => detail === NEVER_SENT));
  const sealed = sealedOf(own, others);
  const [namedCalls, namedOther] = [callsOf(named), callsOf(strange)];
  const findings: Finding[] = [];
  if (namedCalls >= rule.leastCalls && namedOther > namedCalls * rule.otherModelShare)
    findings.push('other_model');
  const isMore =
    isExcess(output, rule) || isExcess(prompt, rule) || hidesTokens(own, others, rule.leastCalls);
  if (isMore) findings.push('more_tokens');
  if (isWrongTooOften(sealed)) findings.push('wrong_answers');
  if (neverSent >= LEAST_NEVER_SENT) findings.push('never_sent_cache');
  if (impossible > 0) findings.push('impossible_cache');
  if (measured(own, 'impossible').length > 0) findings.push('impossible_usage');
  return {
    model,
    calls: callsOf(measured(own, 'calls')),
    tokens: amountOf(measured(own, 'calls')),
    named: namedCalls,
    namedOther,
    otherNames: strange.slice(0, NAMES_SHOWN).map(({ detail, calls }) => ({ name: detail, calls })),
    output,
    prompt,
    firstTokenMs: { calls: callsOf(times), p50: quantile(times, 0.5), p95: quantile(times, 0.95) },
    cache: { calls: callsOf(reads), tokens: amountOf(reads), impossible, neverSent },
    sealed,
    findings,
  };
};

/** What is known about a channel, by model, most used first. */
export const evidenceReport = (
  own: readonly EvidenceSum[],
  others: readonly EvidenceSum[],
  rule: EvidenceRule,
): ModelEvidence[] => {
  const peers = byModel(others);
  return [...byModel(own)]
    .map(([model, sums]) => ofModel(model, sums, peers.get(model) ?? [], rule))
    .toSorted((left, right) => right.calls - left.calls || (left.model < right.model ? -1 : 1));
};

/** Why a channel is doubtful. */
export type Doubt = Pick<Lowered, 'model' | 'finding'>;

/** Impossible reports are only shown to the operator: they cost no caller anything, and may be a mistake. */
const isActedOn = (finding: Finding): finding is Lowered['finding'] =>
  finding !== 'impossible_cache' && finding !== 'impossible_usage';

/** The channels whose weight a rule lowers, and why: replies that cannot be accidental, over enough calls. */
export const doubtful = (
  all: readonly (EvidenceSum & { readonly channelId: number })[],
  rule: EvidenceRule,
): ReadonlyMap<number, Doubt> => {
  const found = new Map<number, Doubt>();
  for (const [model, sums] of byModel(all)) {
    for (const [channelId, own] of Map.groupBy(sums, (sum) => sum.channelId)) {
      if (found.has(channelId)) continue;
      const others = sums.filter((sum) => sum.channelId !== channelId);
      const finding = ofModel(model, own, others, rule).findings.find(isActedOn);
      if (finding !== undefined) found.set(channelId, { model, finding });
    }
  }
  return found;
};
