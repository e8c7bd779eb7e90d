import { z } from 'zod';
import { endpoint, idParams } from '../endpoint.ts';

/** A month in UTC: `2026-10`. */
const monthText = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/);
const monthParams = z.object({ month: monthText });
const userMonthParams = idParams.extend({ month: monthText });
/** 0 is the whole account. */
const query = z.object({ token_id: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0) });

const used = {
  calls: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  units: z.number(),
};
/** An empty model is that of calls of which only the charge is known. */
const modelLine = z.object({ model: z.string(), ...used });
/** Token 0 is the playground, and what the lines before have no room for. */
const tokenLine = z.object({ token_id: z.number(), name: z.string(), ...used });

/**
 * opening + moved in + moved out + late_moved = closing + charged + late charged, in quota units. What calls that still run hold
 * is in the balance. A call belongs to the month in which it began, in UTC.
 */
export const statement = z.object({
  month: monthText,
  user_id: z.number(),
  token_id: z.number(),
  /** Of the account or the token, when it was issued. */
  name: z.string(),
  issued_at: z.number(),
  /** Null for a token, which has no balance of its own. */
  opening_units: z.number().nullable(),
  closing_units: z.number().nullable(),
  /** What came in, and what was corrected (`admin`, `correction`); empty for a token. `out_units` is 0 or less. */
  movements: z.array(
    z.object({ kind: z.string(), count: z.number(), in_units: z.number(), out_units: z.number() }),
  ),
  models: z.array(modelLine),
  tokens: z.array(tokenLine),
  charged_units: z.number(),
  /** Calls of months whose statement was issued before they were charged. */
  late: z.array(modelLine),
  late_units: z.number(),
  late_moved_units: z.number(),
  /** Everything ever charged, before and after this month. */
  charged_before_units: z.number(),
  charged_after_units: z.number(),
});
export type Statement = z.infer<typeof statement>;

/** `sha256` is that of the statement as compact JSON, its fields in the order they have here. */
const issued = z.object({ statement, sha256: z.string() });
const months = z.array(
  z.object({
    month: monthText,
    /** Null until it is first asked for. */
    issued_at: z.number().nullable(),
    sha256: z.string(),
    charged_units: z.number().nullable(),
    closing_units: z.number().nullable(),
  }),
);

export const listOwnStatements = endpoint({
  method: 'GET',
  path: '/api/statement/self',
  access: 'user',
  owner: 'self',
  summary: 'The finished months of the caller, or of one own token, newest first',
  query,
  data: months,
});
export const readOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self/:month',
  access: 'user',
  owner: 'self',
  summary: 'The statement of a finished month (UTC); issued when it is first asked for, and never changed',
  params: monthParams,
  query,
  data: issued,
});
export const downloadOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self/:month/csv',
  access: 'user',
  owner: 'self',
  summary: 'The same as a CSV file',
  params: monthParams,
  query,
  download: true,
  data: z.string(),
});
export const listUserStatements = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'The finished months of a user, or of one of its tokens, newest first',
  params: idParams,
  query,
  data: months,
});
export const readUserStatement = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id/:month',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'The statement of a user for a finished month (UTC)',
  params: userMonthParams,
  query,
  data: issued,
});
export const downloadUserStatement = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id/:month/csv',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'The same as a CSV file',
  params: userMonthParams,
  query,
  download: true,
  data: z.string(),
});
