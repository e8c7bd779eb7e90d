import type { TimeLimits } from '#contract/channel/time-limits.ts';
import { AppError } from '../../error.ts';

/** Timeouts for each step of a response, counted from the end of the request. */
export interface Patience {
  /** Until status and headers have arrived. */
  readonly headMs: number;
  /** Until the first meaningful event of a stream: comments and pings do not count. */
  readonly firstEventMs: number;
  /** Until the end of a response that is not a stream. */
  readonly wholeMs: number;
  /** Between two pieces of a response. */
  readonly idleMs: number;
}

const HEAD_MS = 60_000;
const FIRST_EVENT_MS = 180_000;
const WHOLE_MS = 600_000;
const IDLE_MS = 300_000;

/**
 * Combines the limits of a channel and of a model. If the call cannot be retried, because that might do the same thing
 * twice, giving up early gains nothing: each step of a stream gets the time of a whole response.
 * @param canRepeat whether another channel may get the call
 */
export const patienceFor = (
  own: TimeLimits | undefined,
  ofModel: TimeLimits | undefined,
  { stream, canRepeat }: { readonly stream: boolean; readonly canRepeat: boolean },
): Patience => {
  const headMs = own?.first_byte_timeout_ms ?? ofModel?.first_byte_timeout_ms;
  const wholeMs =
    own?.whole_reply_timeout_ms ?? ofModel?.whole_reply_timeout_ms ?? Math.max(WHOLE_MS, headMs ?? 0);
  // Without a stream, the upstream sends the head only once the response is complete.
  const isEarly = stream && canRepeat;
  return {
    headMs: headMs ?? (isEarly ? HEAD_MS : wholeMs),
    firstEventMs:
      own?.first_event_timeout_ms ??
      ofModel?.first_event_timeout_ms ??
      (isEarly ? Math.max(FIRST_EVENT_MS, headMs ?? 0) : wholeMs),
    wholeMs,
    idleMs: own?.idle_timeout_ms ?? ofModel?.idle_timeout_ms ?? IDLE_MS,
  };
};

/** What is set for a model: under its name, else under its longest prefix that ends in `*`. */
export const limitsOfModel = <Value>(
  limits: Readonly<Record<string, Value>>,
  model: string,
): Value | undefined => {
  if (Object.hasOwn(limits, model)) return limits[model];
  let best = '';
  for (const name of Object.keys(limits))
    if (name.endsWith('*') && name.length > best.length && model.startsWith(name.slice(0, -1))) best = name;
  return best === '' ? undefined : limits[best];
};

/** A step for which the upstream took too long. */
export type LateStep = 'connection' | 'request' | 'head' | 'event' | 'end' | 'silence';

const WORDS: Readonly<Record<LateStep, (seconds: string) => string>> = {
  connection: (seconds) => `the upstream could not be reached within ${seconds} s`,
  request: (seconds) => `the upstream did not take the request for ${seconds} s`,
  head: (seconds) => `the upstream sent no head within ${seconds} s`,
  event: (seconds) => `the upstream sent no event within ${seconds} s`,
  end: (seconds) => `the upstream was not done within ${seconds} s`,
  silence: (seconds) => `the upstream was silent for ${seconds} s in the middle of its answer`,
};

/** The timeout error for a step of an upstream. */
export const tooLate = (step: LateStep, limitMs: number, cause?: unknown): AppError =>
  new AppError('upstream_timeout', WORDS[step](String(limitMs / 1000)), { cause });
