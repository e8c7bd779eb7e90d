import { z } from 'zod';
import { endpoint, idParams } from '../../endpoint.ts';
import { TOKEN_TAG_MAX_LENGTH } from '../../limits.ts';
import { filterNumber, trimmed } from '../../text.ts';

/** A month in UTC: `2026-10`. */
const monthText = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/);
const monthParams = z.object({ month: monthText });
const userMonthParams = idParams.extend({ month: monthText });
/** Of a token, of a tag, or neither: the whole account. */
const query = z.object({
  token_id: filterNumber,
  tag: trimmed(TOKEN_TAG_MAX_LENGTH).default(''),
});

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
  /** Only in the statement of a tag: of all tokens that had it when the month ended. */
  tag: z.string().optional(),
  /** Of the account, the token or the tag, when it was issued. */
  name: z.string(),
  issued_at: z.number(),
  /** Null for a token and a tag, which have no balance of their own. */
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
  /** How many units were a dollar when it was issued; absent from statements of the first versions. */
  units_per_dollar: z.number().optional(),
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
  summary: 'Your finished months, or those of one of your tokens or of a tag, newest first',
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
export const printOwnStatement = endpoint({
  method: 'GET',
  path: '/api/statement/self/:month/pdf',
  access: 'user',
  owner: 'self',
  summary: 'The same as a PDF file, in the language asked for',
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
  summary: 'The finished months of a user, of one of its tokens or of a tag, newest first',
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
export const printUserStatement = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id/:month/pdf',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'The same as a PDF file, in the language asked for',
  params: userMonthParams,
  query,
  download: true,
  data: z.string(),
});

const sumsQuery = z.object({
  /** Also one that is not over. */
  month: monthText,
  by: z.enum(['token', 'tag']).default('token'),
});
const sums = z.object({
  month: monthText,
  /** At most 1000, the dearest first. An empty name is what has no tag, or no token (`token_id` 0). */
  lines: z.array(z.object({ user_id: z.number(), token_id: z.number(), name: z.string(), ...used })),
  /** Of all, also of those that are not among the lines. */
  total_units: z.number(),
  total_calls: z.number(),
});

export const readOwnSums = endpoint({
  method: 'GET',
  path: '/api/statement/self/sums',
  access: 'user',
  owner: 'self',
  summary: "What the caller's tokens or tags were charged in a month so far, to the unit",
  query: sumsQuery,
  data: sums,
});
export const readUserSums = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id/sums',
  access: 'admin',
  owner: 'lower-rank',
  summary: "What a user's tokens or tags were charged in a month so far, to the unit",
  params: idParams,
  query: sumsQuery,
  data: sums,
});
export const readSums = endpoint({
  method: 'GET',
  path: '/api/statement/sums',
  access: 'admin',
  owner: 'any',
  summary: 'What all users, tokens or tags were charged in a month so far, to the unit',
  query: sumsQuery.extend({ by: z.enum(['user', 'token', 'tag']).default('user') }),
  data: sums,
});
