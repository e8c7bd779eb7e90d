import { firstTokenDeadline } from '#core/channel/health/first-token.ts';
import type { FirstTokenTimes } from '#core/channel/health/first-token-times.ts';
import { limitsOfModel } from '#core/channel/health/patience.ts';
import type { ShareWindow } from '#core/channel/health/share-window.ts';
import type { Admitted } from '../stages.ts';

/** When to ask another channel although one is still silent. */
export interface Haste {
  /** How long an attempt may take to its first token; undefined while no value is known. */
  readonly deadlineMs: number | undefined;
  /** Whether the silent attempt continues beside the new one. */
  readonly hedges: boolean;
  /** Takes one more hedge from the budget; false if the budget is used up. */
  takesHedge(nowMs: number): boolean;
  /** Notes how long an attempt took to its first token. */
  answered(durationMs: number): void;
}

/**
 * How long a channel that is known to fail may be silent, for a stream and for a whole reply, which shows nothing
 * before its end.
 */
const [PROBED_STREAM_MS, PROBED_WHOLE_MS] = [5000, 15_000];

/**
 * How long a channel that is known to fail may be silent before another is asked as well. The test whether it works
 * again then costs the operator money, but its caller no time. Undefined if the call may not run twice, or if the
 * operator allows no races.
 */
export const probeMsOf = ({ request, routing, canRepeat, lateForm }: Admitted): number | undefined => {
  if (!canRepeat || request.form !== undefined || lateForm !== undefined) return undefined;
  if (routing.options['upstream_setting.hedge_percent'] <= 0) return undefined;
  return request.facts.stream ? PROBED_STREAM_MS : PROBED_WHOLE_MS;
};

interface HasteDeps {
  readonly firstTokens: FirstTokenTimes;
  readonly hedges: ShareWindow;
}

/**
 * When to ask another channel for this call; undefined if the call simply waits. Only for streams that may run twice: a
 * whole reply shows nothing before its end, and calls that draw, store or act must not run twice.
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
    // The budget always allows one hedge, unless the operator wants none.
    takesHedge: (nowMs) => hedgePercent > 0 && hedges.takes(hedgePercent, nowMs),
    answered: (durationMs) => {
      if (rule.deadline_ms === 'auto') firstTokens.add(model, durationMs);
    },
  };
};

/** The most channels a call asks because others were silent. */
const MOST_HURRIES = 5;

/** The parts of a call that decide how long its attempts may be silent. */
interface Hurried {
  readonly isFree: boolean;
  readonly haste?: Haste | undefined;
  readonly probeMs?: number | undefined;
}

/**
 * Whether a late attempt that probes its channel goes on until it ends. It does not if the operator's own deadline has
 * passed: then it is already clear that the channel does not work as it should.
 */
export const findsOut = (
  { haste, probeMs }: Pick<Hurried, 'haste' | 'probeMs'>,
  { isProbe }: { readonly isProbe: boolean },
): boolean => isProbe && probeMs !== undefined && probeMs <= (haste?.deadlineMs ?? Infinity);

/** How long the newest attempt of a call may be silent before another channel is asked. */
export class Deadline {
  readonly #probeMs: number | undefined;
  /** The deadline of every attempt; undefined if there is none, or once no other channel was open. */
  #hasteMs: number | undefined;
  #ms: number | undefined;
  /** When to look again at channels that were all full. */
  #againAtMs = 0;
  #hurriesLeft = MOST_HURRIES;

  constructor({ isFree, haste, probeMs }: Hurried) {
    this.#hasteMs = isFree ? haste?.deadlineMs : undefined;
    this.#probeMs = isFree ? probeMs : undefined;
  }

  /** Sets the deadline for an attempt that begins, or that is the only one left. */
  set({ isProbe }: { readonly isProbe: boolean }): void {
    const ms = isProbe && this.#probeMs !== undefined ? this.#probeMs : Infinity;
    const leastMs = Math.min(ms, this.#hasteMs ?? Infinity);
    this.#ms = this.#hurriesLeft > 0 && leastMs < Infinity ? leastMs : undefined;
  }

  /** When an attempt that began at this time is late; undefined if it has no deadline. */
  lateAtMs(startedMs: number): number | undefined {
    return this.#ms === undefined ? undefined : Math.max(startedMs + this.#ms, this.#againAtMs);
  }

  /**
   * Suspends the deadline while another channel is looked for.
   * @returns how long it was
   */
  passed(): number {
    const ms = this.#ms ?? 0;
    this.#ms = undefined;
    return ms;
  }

  /** Sets the deadline again. It does not pass before `againAtMs`. */
  again(ms: number, againAtMs = 0): void {
    this.#ms = ms;
    this.#againAtMs = Math.max(this.#againAtMs, againAtMs);
  }

  /** Notes that no other channel is open. */
  end(): void {
    this.#hasteMs = undefined;
  }

  /** Notes that the deadline made another attempt begin. */
  used(): void {
    this.#hurriesLeft -= 1;
  }
}
