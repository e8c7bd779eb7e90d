import { z } from 'zod';

const limitMs = z.number().int().min(1000).max(3_600_000);

/** How long an upstream may take, in milliseconds: of a channel in its `setting`, of a model in an option. */
export const timeLimits = z.object({
  /** Until status and headers of an answer. */
  first_byte_timeout_ms: limitMs.optional(),
  /** Until the first event of a stream that says something. */
  first_event_timeout_ms: limitMs.optional(),
  /** Until the end of an answer that is no stream. */
  whole_reply_timeout_ms: limitMs.optional(),
  /** Between two pieces of an answer. */
  idle_timeout_ms: limitMs.optional(),
});

export type TimeLimits = Readonly<z.output<typeof timeLimits>>;
