import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { CHANNEL_TAG_MAX_LENGTH, RECONCILED_FILE_MAX_BYTES, RECONCILED_HEAD_BYTES } from '../../limits.ts';
import { columnRoles, comparedLists, MATCHED_WITHIN_SECONDS } from '../../channel/reconcile.ts';
import { parsed } from '../../json-text.ts';
import { filterNumber, issueKey, text } from '../../text.ts';

/** Files of upstreams, such as bills, compared with what was recorded for a channel. Nothing is changed or kept. */

const CHANNELS_MAX = 200;
const TITLE_MAX_LENGTH = 200;
const titles = z.array(z.string().max(TITLE_MAX_LENGTH)).min(1).max(20);
const columns = z.partialRecord(z.enum(columnRoles), titles);

/** JSON in one parameter: which columns, by their titles, say what. */
const columnsText = text(10_000)
  .default('')
  .transform((given, context) => {
    if (given === '') return undefined;
    const read = columns.safeParse(parsed(given));
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: issueKey('reconcile_columns'), input: given });
    return z.NEVER;
  });

const isZone = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

const asked = z.object({
  /** Ids with commas between them; or `tag` for all channels that have it. */
  channels: text(4000)
    .default('')
    .transform((ids) =>
      ids
        .split(',')
        .map(Number)
        .filter((id) => Number.isSafeInteger(id) && id > 0),
    )
    .pipe(z.array(z.number()).max(CHANNELS_MAX)),
  tag: text(CHANNEL_TAG_MAX_LENGTH).default(''),
  columns: columnsText,
  /** For times that do not state theirs, and for days. */
  zone: text(64).default('UTC').refine(isZone, issueKey('reconcile_zone')),
  date_order: z.enum(['', 'day-first', 'month-first']).default(''),
  decimal: z.enum(['', 'point', 'comma']).default(''),
  /** Only rows with this text in the column of keys. */
  key: text(TITLE_MAX_LENGTH).default(''),
  by: z.enum(['', 'call', 'day']).default(''),
  within_seconds: z.coerce
    .number()
    .int()
    .min(0)
    .max(MATCHED_WITHIN_SECONDS.most)
    .default(MATCHED_WITHIN_SECONDS.usual),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .default('USD'),
  start_timestamp: filterNumber,
  end_timestamp: filterNumber,
});

const sums = z.object({
  /** Rows of the file, or calls; by day, days of a model. */
  entries: z.number(),
  calls: z.number(),
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  /** In billionths of the currency, of those whose amount is known. */
  money: z.number(),
  unknown_money: z.number(),
});
const both = z.object({ ours: sums, theirs: sums });

const side = z.object({
  /** The line of the file, or our request id; empty for sums. */
  ref: z.string(),
  /** Unix milliseconds. */
  at: z.number(),
  calls: z.number().nullable(),
  input: z.number().nullable(),
  output: z.number().nullable(),
  cached: z.number().nullable(),
  money: z.number().nullable(),
});
const line = z.object({
  model: z.string(),
  by: z.enum(['id', 'tokens', 'time', 'day']).nullable(),
  ours: side.nullable(),
  theirs: side.nullable(),
});
const list = z.object({ count: z.number(), lines: z.array(line) });

export const reconcileFile = endpoint({
  method: 'POST',
  path: '/api/reconcile',
  access: 'admin',
  owner: 'none',
  rate: 'search',
  summary:
    "Compare an upstream's bill or usage file, which is the body, with the calls of channels; changes and keeps nothing",
  query: asked,
  upload: { maxBytes: RECONCILED_FILE_MAX_BYTES },
  data: z.object({
    by: z.enum(['call', 'day']),
    /** What the file states, and so what is compared. */
    measures: z.array(z.enum(['calls', 'input', 'output', 'cached', 'money'])),
    currency: z.string(),
    /** Unix milliseconds, both included. */
    from: z.number(),
    until: z.number(),
    totals: both,
    /** The first lines of each list, by time; the file has all. */
    lists: z.object({ differing: list, missing_here: list, missing_there: list, matched: list }),
    /** `at` is where a day begins in the zone, in unix milliseconds. */
    days: z.array(both.extend({ day: z.string(), at: z.number() })),
    models: z.array(both.extend({ model: z.string() })),
    /** Rows that are not compared: sums of the file, rows without amounts, of other keys, and of other times. */
    left_out: z.object({
      totals: z.number(),
      empty: z.number(),
      other_keys: z.number(),
      outside: z.number(),
    }),
    /** Calls that no user has in their rows: failed calls, and what the house paid for, by kind. */
    house: z.object({
      failed: z.number(),
      kinds: z.array(
        z.object({ kind: z.string(), calls: z.number(), cost_nano_usd: z.number(), uncosted: z.number() }),
      ),
    }),
  }),
});

export const exportReconciled = endpoint({
  method: 'POST',
  path: '/api/reconcile/file',
  access: 'admin',
  owner: 'none',
  rate: 'search',
  summary: 'The same comparison as a CSV file with every line; `list` for one list only',
  query: asked.extend({ list: z.enum(['', ...comparedLists]).default('') }),
  upload: { maxBytes: RECONCILED_FILE_MAX_BYTES },
  download: true,
  data: z.string(),
});

export const readReconciledColumns = endpoint({
  method: 'POST',
  path: '/api/reconcile/columns',
  access: 'admin',
  owner: 'none',
  rate: 'search',
  summary:
    'The titles and first rows of a file, and what its columns seem to be; the body is its first 64 KB',
  upload: { maxBytes: RECONCILED_HEAD_BYTES },
  data: z.object({
    /** The name of a known kind of file; null if it is not known. */
    shape: z.string().nullable(),
    columns,
    header: z.array(z.string()),
    rows: z.array(z.array(z.string())),
  }),
});
