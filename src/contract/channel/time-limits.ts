import { z } from 'zod';

const limitMs = z.number().int().min(1000).max(3_600_000);

/** Timeouts for an upstream, in milliseconds: in a channel's `setting`, or per model in an option. */
export const timeLimits = z.object({
  /** Until status and headers. */
  first_byte_timeout_ms: limitMs.optional(),
  /** Until the first meaningful event of a stream. */
  first_event_timeout_ms: limitMs.optional(),
  /** Until the end of a response that is not a stream. */
  whole_reply_timeout_ms: limitMs.optional(),
  /** Between two pieces of a response. */
  idle_timeout_ms: limitMs.optional(),
});

export type TimeLimits = Readonly<z.output<typeof timeLimits>>;
