import { firstTokenDeadline } from '#core/channel/first-token.ts';
import type { FirstTokenTimes } from '#core/channel/first-token-times.ts';
import { limitsOfModel } from '#core/channel/patience.ts';
import type { ShareWindow } from '#core/channel/share-window.ts';
import type { Admitted } from '../stages.ts';

/** When a call asks another channel although one is still silent. */
export interface Haste {
  /** How long an attempt may take to its first token; undefined while that is not known. */
  readonly deadlineMs: number | undefined;
  /** Whether the silent one goes on beside the other. */
  readonly hedges: boolean;
  /** Whether there may be one more such race. */
  takesHedge(nowMs: number): boolean;
  /** An attempt of this length has come to its first token. */
  answered(durationMs: number): void;
}

interface HasteDeps {
  readonly firstTokens: FirstTokenTimes;
  readonly hedges: ShareWindow;
}

/**
 * The haste of a call; undefined if it waits. Only streams whose call may be made twice: of a whole reply nothing is seen
 * until it is over, and what draws, stores or acts must not be done twice.
 */
export const hasteOf = (
  { firstTokens, hedges }: HasteDeps,
  { request, routing, call, canRepeat, caller, lateForm, startedMs }: Admitted,
): Haste | undefined => {
  const { options } = routing;
  const { model, stream } = request.facts;
  const rule = limitsOfModel(options['upstream_setting.first_token'], model);
  if (rule === undefined || !stream || !canRepeat || caller.channelId !== undefined) return undefined;
  if (request.form !== undefined || lateForm !== undefined) return undefined;
  const hedgePercent = options['upstream_setting.hedge_percent'];
  const isHedged = rule.hedge === true && call.operation === 'chat';
  if (isHedged) hedges.note(startedMs);
  return {
    deadlineMs: firstTokenDeadline(rule, rule.deadline_ms === 'auto' ? firstTokens.p95Ms(model) : undefined),
    hedges: isHedged,
    // One is always allowed, except where the operator wants none.
    takesHedge: (nowMs) => hedgePercent > 0 && hedges.takes(hedgePercent, nowMs),
    answered: (durationMs) => {
      if (rule.deadline_ms === 'auto') firstTokens.add(model, durationMs);
    },
  };
};
