import { DAY_S, HOUR_S, MONTH_S } from '../../lib/text/spans.ts';

/** The shortcuts of the form. Source: specification, constants. */

/** How many tokens are created at once. */
export const COUNT_PICKS = [10, 20, 30, 100] as const;

/** How long from now; a month is 30 days. */
export const EXPIRY_PICKS = [
  ['hour', HOUR_S],
  ['day', DAY_S],
  ['month', MONTH_S],
] as const;
