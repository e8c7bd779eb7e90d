import { z } from 'zod';
import { availabilitySpans } from '../../availability.ts';
import { endpoint } from '../../endpoint.ts';

const percent = z.number().nullable();

export const readAvailability = endpoint({
  method: 'GET',
  path: '/api/availability',
  access: 'public',
  owner: 'none',
  summary:
    'How available and fast models were, where the operator shows it: shares of calls that were answered and rounded times, ' +
    'nothing of fewer calls or callers than the operator allows',
  query: z.object({ span: z.enum(availabilitySpans).default('24h') }),
  data: z.object({
    span: z.enum(availabilitySpans),
    /** Of one bar. */
    step_seconds: z.number(),
    /** Unix seconds: when the first bar begins, and when this was read. */
    from: z.number(),
    read_at: z.number(),
    models: z.array(
      z.object({
        model: z.string(),
        /** Of the calls that say something about it, those that were answered; null where too few called. */
        percent,
        /** The oldest first. */
        bars: z.array(percent),
        first_token_ms: z.object({ p50: z.number(), p95: z.number() }).nullable(),
      }),
    ),
    /** Further models that are offered and not listed here. */
    more: z.number(),
  }),
});
