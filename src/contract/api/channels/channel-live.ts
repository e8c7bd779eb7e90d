import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';

/** What the channels are doing right now. */

const firstToken = z.object({ p50: z.number().nullable(), p95: z.number().nullable() });

const breaker = z.object({
  /** `trial`: one call is testing it; `cooling` with no seconds left: the next call will. */
  state: z.enum(['closed', 'cooling', 'trial']),
  seconds_left: z.number(),
});

const liveKey = z.object({
  id: z.number(),
  /** What admins call it, or its end. */
  name: z.string(),
  status: z.enum(['enabled', 'cooling', 'spent', 'revoked', 'off']),
  in_flight: z.number(),
  /** Of the last minute. */
  calls: z.number(),
  errors: z.number(),
  /** Of the last five minutes, as for channels. */
  first_token_ms: firstToken,
  cached_share: z.number().nullable(),
  breaker,
});

const liveChannel = z.object({
  id: z.number(),
  name: z.string(),
  type: z.number(),
  status: z.number(),
  in_flight: z.number(),
  /** Of the last minute. */
  calls: z.number(),
  errors: z.number(),
  /** Of the last five minutes. */
  first_token_ms: firstToken,
  /** Of prompt tokens, how many were read from caches; null where no prompt was reported. */
  cached_share: z.number().nullable(),
  breaker,
  /** The models that are kept away while the channel is not. */
  cooling_models: z.array(z.string()),
  /** By buckets of five seconds, the oldest first. */
  history: z.object({
    calls: z.array(z.number()),
    errors: z.array(z.number()),
    /** The mean; null where no first token came. */
    first_token_ms: z.array(z.number().nullable()),
  }),
  /** Keys of a pool that were used or are kept away, the busiest first. */
  keys: z.array(liveKey),
  /** All keys of its pool; 0 where it has one. */
  pool: z.number(),
  /** For which groups it was asked for which models. */
  routes: z.array(z.object({ group: z.string(), model: z.string() })),
});

export const readLive = endpoint({
  method: 'GET',
  path: '/api/channel/live',
  access: 'admin',
  owner: 'any',
  summary:
    'The live board: what the channels called in the last five minutes are doing, over all relays and, as far as they ' +
    'tell, all nodes; those in trouble first, then the busiest, at most 100',
  data: z.object({
    bucket_seconds: z.number(),
    channels: z.array(liveChannel),
    /** Called, but left out. */
    more: z.number(),
    /** Other nodes whose counts are in these. */
    nodes: z.number(),
  }),
});
