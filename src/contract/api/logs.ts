import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { SEARCH_MAX_LENGTH } from '../limits.ts';
import { page, pageQuery } from '../paging.ts';
import { text } from '../text.ts';

export const logEntry = z.object({
  id: z.number(),
  user_id: z.number(),
  created_at: z.number(),
  type: z.number(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** Whole seconds, as the family's clients read them. */
  use_time: z.number(),
  use_time_ms: z.number(),
  is_stream: z.boolean(),
  channel: z.number(),
  channel_name: z.string(),
  token_id: z.number(),
  group: z.string(),
  ip: z.string(),
  request_id: z.string(),
  /** JSON text: ratios, first-token time, disjoint usage, attempts. Fields for admins are removed for others. */
  other: z.string(),
  /** In billionths of a US dollar, for admins; null if it is not known. Absent for others. */
  cost_nano_usd: z.number().nullable().optional(),
});

const filter = {
  type: z.coerce.number().int().min(0).max(20).default(0),
  token_name: text(SEARCH_MAX_LENGTH).default(''),
  model_name: text(SEARCH_MAX_LENGTH).default(''),
  start_timestamp: z.coerce.number().int().min(0).default(0),
  end_timestamp: z.coerce.number().int().min(0).default(0),
  group: text(64).default(''),
  request_id: text(100).default(''),
};

const adminFilter = {
  ...filter,
  username: text(SEARCH_MAX_LENGTH).default(''),
  channel: z.union([z.literal('').transform(() => 0), z.coerce.number().int().min(0)]).default(0),
};

/** `rpm` and `tpm`: calls and tokens of the last 60 seconds, whatever the time range. */
const stat = z.object({ quota: z.number(), rpm: z.number(), tpm: z.number() });

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log',
  access: 'admin',
  owner: 'any',
  summary: 'Logs of everybody, newest first',
  query: z.object({ ...pageQuery, ...adminFilter }),
  data: page(logEntry),
});
export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  owner: 'self',
  summary: 'Own logs, newest first',
  query: z.object({ ...pageQuery, ...filter }),
  data: page(logEntry),
});
export const readLogStat = endpoint({
  method: 'GET',
  path: '/api/log/stat',
  access: 'admin',
  owner: 'any',
  summary: 'Quota used under a filter, and the rate now',
  query: z.object(adminFilter),
  data: stat,
});
export const readOwnLogStat = endpoint({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'user',
  owner: 'self',
  summary: 'The same for the caller',
  query: z.object(filter),
  data: stat,
});

export const exportLogs = endpoint({
  method: 'GET',
  path: '/api/log/export',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary:
    'Logs of everybody as a CSV file, newest first, with channels and costs; `X-Total-Rows` says how many',
  query: z.object(adminFilter),
  download: true,
  data: z.string(),
});
export const exportOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/export',
  access: 'user',
  owner: 'self',
  rate: 'search',
  summary: 'Own logs as a CSV file, newest first; `X-Total-Rows` says how many',
  query: z.object(filter),
  download: true,
  data: z.string(),
});

export const clearLogs = endpoint({
  method: 'DELETE',
  path: '/api/log',
  access: 'admin',
  owner: 'any',
  summary: 'Delete every log from before a time, in the background; answers how many. Sums and balances stay',
  query: z.object({ target_timestamp: z.coerce.number('log_clear_when').int().min(1, 'log_clear_when') }),
  data: z.number(),
});

export const readClearing = endpoint({
  method: 'GET',
  path: '/api/log/clearing',
  access: 'admin',
  owner: 'none',
  summary: 'How far the clearing of logs has come',
  data: z.object({ is_running: z.boolean(), deleted: z.number(), total: z.number() }),
});
