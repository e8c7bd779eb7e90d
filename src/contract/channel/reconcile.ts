/** What a column of an upstream's file can say. */
export const columnRoles = [
  'time',
  'model',
  'input',
  'output',
  'cached',
  'cost',
  'calls',
  'id',
  'key',
  'kind',
  'amount',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The lists of a comparison: each entry of both sides is in one of them. */
export const comparedLists = ['differing', 'missing_here', 'missing_there', 'matched'] as const;
export type ComparedList = (typeof comparedLists)[number];

/** How far times may be apart in calls that are the same. */
export const MATCHED_WITHIN_SECONDS = { usual: 120, most: 3600 } as const;
