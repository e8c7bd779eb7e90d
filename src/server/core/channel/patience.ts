import type { TimeLimits } from '#contract/time-limits.ts';
import { AppError } from '../error.ts';

/** How long an upstream may take for each step of one answer, counted from the end of the request. */
export interface Patience {
  /** Until status and headers have come, whole. */
  readonly headMs: number;
  /** Until the first event of a stream that says something: comments and pings say nothing. */
  readonly firstEventMs: number;
  /** Until the end of an answer that is no stream. */
  readonly wholeMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
}

const HEAD_MS = 60_000;
const FIRST_EVENT_MS = 180_000;
const WHOLE_MS = 600_000;
const IDLE_MS = 300_000;

/**
 * What a channel's own limits and those of a model come out as. Where asking somebody else is no way out, because it
 * might do the same thing twice, nothing is won by giving up early: the steps of a stream have as long as a whole reply.
 * @param canRepeat whether the call may be given to another channel
 */
export const patienceFor = (
  own: TimeLimits | undefined,
  ofModel: TimeLimits | undefined,
  { stream, canRepeat }: { readonly stream: boolean; readonly canRepeat: boolean },
): Patience => {
  const limits = { ...ofModel, ...own };
  const headMs = limits.first_byte_timeout_ms;
  const wholeMs = limits.whole_reply_timeout_ms ?? Math.max(WHOLE_MS, headMs ?? 0);
  // An answer that is no stream has its head when it is made.
  const isEarly = stream && canRepeat;
  return {
    headMs: headMs ?? (isEarly ? HEAD_MS : wholeMs),
    firstEventMs:
      limits.first_event_timeout_ms ?? (isEarly ? Math.max(FIRST_EVENT_MS, headMs ?? 0) : wholeMs),
    wholeMs,
    idleMs: limits.idle_timeout_ms ?? IDLE_MS,
  };
};

/** The limits of a model: those under its name, else under the longest beginning of it that ends in `*`. */
export const limitsOfModel = (
  limits: Readonly<Record<string, TimeLimits>>,
  model: string,
): TimeLimits | undefined => {
  if (Object.hasOwn(limits, model)) return limits[model];
  let best = '';
  for (const name of Object.keys(limits))
    if (name.endsWith('*') && name.length > best.length && model.startsWith(name.slice(0, -1))) best = name;
  return best === '' ? undefined : limits[best];
};

/** A step an upstream did not take in time. */
export type LateStep = 'connection' | 'request' | 'head' | 'event' | 'end' | 'silence';

const WORDS: Readonly<Record<LateStep, (seconds: string) => string>> = {
  connection: (seconds) => `the upstream could not be reached within ${seconds} s`,
  request: (seconds) => `the upstream did not take the request for ${seconds} s`,
  head: (seconds) => `the upstream sent no head within ${seconds} s`,
  event: (seconds) => `the upstream sent no event within ${seconds} s`,
  end: (seconds) => `the upstream was not done within ${seconds} s`,
  silence: (seconds) => `the upstream was silent for ${seconds} s in the middle of its answer`,
};

/** The failure of an upstream that took too long, and for what. */
export const tooLate = (step: LateStep, limitMs: number, cause?: unknown): AppError =>
  new AppError('upstream_timeout', WORDS[step](String(limitMs / 1000)), { cause });
