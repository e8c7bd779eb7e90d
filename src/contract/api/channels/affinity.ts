import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { MODEL_NAME_MAX_LENGTH, SEARCH_MAX_LENGTH } from '../../limits.ts';
import { text } from '../../text.ts';
import { span } from '../logs/data.ts';

export const countSessions = endpoint({
  method: 'GET',
  path: '/api/channel/affinity',
  access: 'admin',
  owner: 'any',
  summary: 'How many sessions stay at each channel, because their prompts are cached there',
  data: z.array(z.object({ channel_id: z.number(), sessions: z.number() })),
});

export const forgetSessions = endpoint({
  method: 'POST',
  path: '/api/channel/affinity/clear',
  access: 'admin',
  owner: 'any',
  summary:
    'Lets sessions go: those of a channel, those of models whose name begins so, or all. Their next calls are drawn anew',
  body: z.strictObject({
    /** Not given: of every channel. */
    channel_id: z.number().int().min(1).optional(),
    /** How the model's name begins; not given: of every model. */
    model: text(MODEL_NAME_MAX_LENGTH).optional(),
  }),
  data: z.object({ forgotten: z.number() }),
});

/** What prompt caches did for charged calls. The share of a prompt that was cached is `cached_tokens / prompt_tokens`. */
const cacheSums = {
  count: z.number(),
  quota: z.number(),
  prompt_tokens: z.number(),
  /** Of the prompt tokens, as upstreams report them. */
  cached_tokens: z.number(),
  /** Quota not charged because of caches; below 0 where writing them cost more than was read. */
  saved_quota: z.number(),
};

const cacheShare = z.object({
  /** Of the channel; 0 for models. Of a day or hour: its start in unix seconds. */
  id: z.number(),
  name: z.string(),
  ...cacheSums,
});

const cachedSession = z.object({
  /** A hash that stands for the session. */
  session: z.string(),
  model_name: z.string(),
  username: z.string(),
  /** Unix seconds. */
  used_at: z.number(),
  /** How many channels answered it; 0 where the reader may not know. */
  channels: z.number(),
  ...cacheSums,
});

/** The dimensions by which cache sums can be read: by admins, and by users. */
export const cacheDimensions = ['channel', 'model', 'day', 'hour'] as const;
export const ownCacheDimensions = ['model', 'day', 'hour'] as const;

export const readCache = endpoint({
  method: 'GET',
  path: '/api/data/cache',
  access: 'admin',
  owner: 'any',
  summary:
    'How much of prompts was read from caches and what that saved, by one dimension, in at most 1000 rows',
  query: z.object({
    ...span,
    by: z.enum(cacheDimensions).default('channel'),
    username: text(SEARCH_MAX_LENGTH).default(''),
  }),
  data: z.array(cacheShare),
});

export const readOwnCache = endpoint({
  method: 'GET',
  path: '/api/data/self/cache',
  access: 'user',
  owner: 'self',
  summary: "How much of the caller's prompts was read from caches and what that saved, at most 30 days",
  query: z.object({ ...span, by: z.enum(ownCacheDimensions).default('model') }),
  data: z.array(cacheShare),
});

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/data/sessions',
  access: 'admin',
  owner: 'any',
  summary: 'The sessions used last and what caches did for each, by the logs, of at most 30 days',
  query: z.object({ ...span, username: text(SEARCH_MAX_LENGTH).default('') }),
  data: z.array(cachedSession),
});

export const listOwnSessions = endpoint({
  method: 'GET',
  path: '/api/data/self/sessions',
  access: 'user',
  owner: 'self',
  summary: "The caller's sessions used last and what caches did for each, by the logs, of at most 30 days",
  query: z.object(span),
  data: z.array(cachedSession),
});
