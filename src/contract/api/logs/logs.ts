import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { SEARCH_MAX_LENGTH } from '../../limits.ts';
import { loggedPrograms } from '../../programs.ts';
import { page, pageQuery, sortQuery } from '../../paging.ts';
import { filterNumber, LAST_SECOND, text } from '../../text.ts';

export const logEntry = z.object({
  id: z.number(),
  user_id: z.number(),
  created_at: z.number(),
  type: z.number(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  /** The calling program; empty where none is known. */
  program: z.string(),
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
  type: filterNumber,
  /** A part of the name, or the whole one with `=` before it; so of the model. */
  token_name: text(SEARCH_MAX_LENGTH).default(''),
  model_name: text(SEARCH_MAX_LENGTH).default(''),
  start_timestamp: filterNumber,
  end_timestamp: filterNumber,
  group: text(64).default(''),
  program: z.enum(['', ...loggedPrograms]).default(''),
  request_id: text(100).default(''),
};

const adminFilter = {
  ...filter,
  username: text(SEARCH_MAX_LENGTH).default(''),
  channel: filterNumber,
};

const sorted = sortQuery('time', 'times', 'prompt', 'completion', 'cost');

const logPage = page(logEntry).extend({
  /** Where very many calls match, only those since then were sorted and counted; unix seconds. */
  sorted_since: z.number().optional(),
});

/** `rpm` and `tpm`: calls and tokens of the last 60 seconds, whatever the time range. */
const stat = z.object({ quota: z.number(), rpm: z.number(), tpm: z.number() });

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log',
  access: 'admin',
  owner: 'any',
  summary: 'Logs of everybody, newest first',
  query: z.object({ ...pageQuery, ...sorted, ...adminFilter }),
  data: logPage,
});
export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  owner: 'self',
  summary: 'Your logs, newest first',
  query: z.object({ ...pageQuery, ...sorted, ...filter }),
  data: logPage,
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
  summary: 'Your logs as a CSV file, newest first; `X-Total-Rows` says how many',
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
  query: z.object({
    target_timestamp: z.coerce
      .number('log_clear_when')
      .int()
      .min(1, 'log_clear_when')
      .max(LAST_SECOND, 'log_clear_when'),
  }),
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
