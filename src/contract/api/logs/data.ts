import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { SEARCH_MAX_LENGTH } from '../../limits.ts';
import { filterNumber, text } from '../../text.ts';

/** Unix seconds, both inclusive; 0 for no limit. */
export const span = {
  start_timestamp: filterNumber,
  end_timestamp: filterNumber,
};

/** One model in one hour. The sums are the ledger's, exact to the unit, whether or not calls are logged. */
const usageHour = z.object({
  model_name: z.string(),
  count: z.number(),
  quota: z.number(),
  /** Input and output tokens. */
  token_used: z.number(),
  /** The start of the hour in unix seconds. */
  created_at: z.number(),
});

/** The same of one channel, user, token or program, or of all but the largest together. */
const usageHourOf = usageHour.omit({ model_name: true }).extend({
  /** Of the channel, user or token; 0 for programs, the playground, what is not known any more, and the rest. */
  id: z.number(),
  /** As it is called today; empty for what is deleted, for programs not recorded, and for the rest. */
  name: z.string(),
  is_rest: z.boolean(),
});

const keySums = z.object({
  /** Answered and charged calls, and those that ended with an error. */
  answered: z.number(),
  failed: z.number(),
  /** Of answered calls, and those of them that were read from caches. */
  prompt_tokens: z.number(),
  cached_tokens: z.number(),
  /** 95 of 100 first tokens came within this time, of the streamed ones among the latest 2,000 logged calls; null of none. */
  first_token_p95_ms: z.number().nullable(),
  /** The number of calls behind this time. */
  first_token_calls: z.number(),
});

const usageShare = z.object({
  /** Of the user or token; 0 for the playground, and where the token is not known any more. */
  id: z.number(),
  /** As it is called today. */
  name: z.string(),
  count: z.number(),
  quota: z.number(),
  token_used: z.number(),
});

export const readUsage = endpoint({
  method: 'GET',
  path: '/api/data',
  access: 'admin',
  owner: 'any',
  summary: 'What was used by hour and model, by everybody or by one user',
  query: z.object({ ...span, username: text(SEARCH_MAX_LENGTH).default('') }),
  data: z.array(usageHour),
});

export const readOwnUsage = endpoint({
  method: 'GET',
  path: '/api/data/self',
  access: 'user',
  owner: 'self',
  summary: 'What the caller used by hour and model, at most 30 days',
  query: z.object(span),
  data: z.array(usageHour),
});

export const readChannelHours = endpoint({
  method: 'GET',
  path: '/api/data/channel',
  access: 'admin',
  owner: 'any',
  summary:
    'How many calls each channel answered and failed, by the hour; of some channels where they are named',
  query: z.object({
    ...span,
    /** At most a page of them; others change nothing. */
    ids: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,99}$/)
      .transform((ids) => ids.split(',').map(Number))
      .optional(),
  }),
  data: z.array(
    z.object({
      channel_id: z.number(),
      /** The start of the hour in unix seconds. */
      created_at: z.number(),
      count: z.number(),
      failed: z.number(),
    }),
  ),
});

/** The dimensions by which margins can be read. */
export const marginDimensions = ['channel', 'model', 'group', 'user', 'token', 'day', 'hour'] as const;

export const readMargin = endpoint({
  method: 'GET',
  path: '/api/data/margin',
  access: 'admin',
  owner: 'any',
  summary:
    'What charged calls brought in and cost, by one dimension, in at most 1000 rows. Costs are billionths of a ' +
    'US dollar, of the calls whose cost is known; `uncosted` are the others',
  query: z.object({
    ...span,
    by: z.enum(marginDimensions).default('channel'),
    username: text(SEARCH_MAX_LENGTH).default(''),
    channel: filterNumber,
    token_id: filterNumber,
    model_name: text(SEARCH_MAX_LENGTH).default(''),
    group: text(64).default(''),
  }),
  data: z.array(
    z.object({
      /** Of the channel, user or token; 0 for names. Of a day or hour: its start in unix seconds. */
      id: z.number(),
      name: z.string(),
      count: z.number(),
      quota: z.number(),
      cost_nano_usd: z.number(),
      uncosted: z.number(),
      uncosted_quota: z.number(),
    }),
  ),
});

export const readHouseCosts = endpoint({
  method: 'GET',
  path: '/api/data/house_costs',
  access: 'admin',
  owner: 'any',
  summary:
    'What nobody was charged for, by channel, day and kind: answers that failed although they were used (`attempt`), tests, ' +
    'sealed questions, lost races, calls of a process that was killed (`killed`, of channel 0). `uncosted` are those whose ' +
    'cost is not known, `estimated` those whose usage was counted, as no upstream told it',
  query: z.object(span),
  data: z.array(
    z.object({
      channel_id: z.number(),
      kind: z.string(),
      /** The start of the day in unix seconds. */
      created_at: z.number(),
      count: z.number(),
      cost_nano_usd: z.number(),
      uncosted: z.number(),
      estimated: z.number(),
    }),
  ),
});

export const listTopUsers = endpoint({
  method: 'GET',
  path: '/api/data/users',
  access: 'admin',
  owner: 'any',
  summary: 'The users who used most, first the largest',
  query: z.object(span),
  data: z.array(usageShare),
});

export const listTopTokens = endpoint({
  method: 'GET',
  path: '/api/data/self/tokens',
  access: 'user',
  owner: 'self',
  summary: "The caller's tokens that used most, first the largest",
  query: z.object(span),
  data: z.array(usageShare),
});

export const readUsageBy = endpoint({
  method: 'GET',
  path: '/api/data/by',
  access: 'admin',
  owner: 'any',
  summary:
    'What was used by hour and channel, user, token or program: of the ten largest, and of the rest together',
  query: z.object({
    ...span,
    username: text(SEARCH_MAX_LENGTH).default(''),
    by: z.enum(['channel', 'user', 'token', 'program']).default('channel'),
  }),
  data: z.array(usageHourOf),
});

export const readOwnUsageBy = endpoint({
  method: 'GET',
  path: '/api/data/self/by',
  access: 'user',
  owner: 'self',
  summary:
    "What the caller's tokens or programs used by hour, at most 30 days: of the ten largest, and of the rest together",
  query: z.object({ ...span, by: z.enum(['token', 'program']).default('token') }),
  data: z.array(usageHourOf),
});

export const readKeySums = endpoint({
  method: 'GET',
  path: '/api/data/key_sums',
  access: 'admin',
  owner: 'any',
  summary: 'How calls went: answered and failed, prompts read from caches, time to the first token',
  query: z.object({ ...span, username: text(SEARCH_MAX_LENGTH).default('') }),
  data: keySums,
});

export const readOwnKeySums = endpoint({
  method: 'GET',
  path: '/api/data/self/key_sums',
  access: 'user',
  owner: 'self',
  summary: "How the caller's calls went, at most 30 days",
  query: z.object(span),
  data: keySums,
});
