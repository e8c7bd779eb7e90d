import { AwakeTimer } from '#core/time/awake-timer.ts';
import type { Held } from '../stages.ts';
import { thinksOutOfSight } from '#core/chat/thinks-out-of-sight.ts';
import { AppError } from '#core/error.ts';
import { DEFAULT_OUTPUT_TOKENS } from '#core/quota/estimate.ts';
import type { Live } from '../live.ts';

/** How long to wait for the usage after the end of the answer: upstreams report it right then. */
const REPORT_MS = 5000;

/**
 * Ends a call whose caller has left and stops its upstream. If the answer is complete but its usage is still to come,
 * waits for the usage first, so that hidden thoughts are charged. A model that may be thinking out of sight gets the
 * same time; text that arrives after the caller left is not charged (docs/decisions/0024).
 */
export const callerLeft = (held: Held): void => {
  const { live } = held;
  const { meter, stopped } = live;
  if (stopped !== undefined || !owesReport(held)) return stopUpstream(held);
  if (!meter.finished) meter.shownBytes = meter.outputBytes;
  void new AwakeTimer(REPORT_MS, () => {
    if (live.holdState === 'open') stopUpstream(held);
  });
};

const owesReport = (held: Held): boolean => {
  const { meter } = held.live;
  if (!meter.finished || !isAnswered(held)) return mayHideThoughts(held);
  return meter.reported === undefined || meter.outputBytes > meter.reportedBytes;
};

/*
 * Hidden thoughts are counted only in the answer's last usage report. If that never arrives, they are estimated from the
 * time the model was silent (docs/billing.md, docs/decisions/0024).
 */

/**
 * A low estimate of a model's speed. Seven recorded answers of hosted models, of at least 200 tokens each, came at 42
 * to 138 tokens a second.
 */
const TOKENS_PER_SECOND = 20;
/** The time that even a model without thoughts may need for its first word. */
const WITHOUT_THOUGHT_MS = 1000;
/** Efforts that switch thinking off. */
const NO_EFFORT: ReadonlySet<string> = new Set(['none', 'off']);
/** How much text to read and drop after the caller left, while waiting for the usage report. */
const MOST_UNSHOWN_BYTES = 4096;

/** Whether the answer may include thoughts that the upstream has not reported yet. */
const mayHideThoughts = ({ live }: Held): boolean => {
  const { meter, destination } = live;
  const { effort, upstreamModel = '' } = destination?.sentAs ?? {};
  if (!meter.produced || (meter.reported?.reasoningTokens ?? 0) > 0 || silentMs(live) === 0) return false;
  if (effort !== undefined) return !NO_EFFORT.has(effort);
  return meter.thinks || thinksOutOfSight(upstreamModel);
};

/**
 * How long the upstream sent nothing visible, during which the model may have had hidden thoughts: visible ones arrive
 * as they are made.
 */
const silentMs = ({ attempts }: Live): number =>
  Math.max(0, (attempts.at(-1)?.durationMs ?? 0) - WITHOUT_THOUGHT_MS);

/** The tokens a model could write in that time; at most the output that is held for. */
const unseenTokens = (held: Held): number => {
  if (!mayHideThoughts(held)) return 0;
  const { facts } = held.request;
  const tokens = Math.floor((silentMs(held.live) / 1000) * TOKENS_PER_SECOND);
  return Math.min(tokens, facts.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS);
};

/** Stops the upstream after the caller left, and estimates unreported thoughts from the time they took. */
export const stopUpstream = (held: Held): void => {
  const { live } = held;
  live.meter.unseenTokens = unseenTokens(held);
  live.stop(new AppError('client_closed', 'the caller went away'));
};

/** Whether more text than `MOST_UNSHOWN_BYTES` arrived since the caller left. */
export const hasReadEnough = ({ shownBytes, outputBytes, finished }: Live['meter']): boolean =>
  shownBytes !== undefined && !finished && outputBytes - shownBytes > MOST_UNSHOWN_BYTES;

/** Every requested answer is complete. */
export const isAnswered = ({ live: { meter }, request }: Held): boolean =>
  meter.finished && meter.finishes >= request.facts.choices;
