import type { Span } from './usage-sums.ts';

/** Source: specification, data dashboard: the last 3 days. */
const SHOWN_S = 3 * 86_400;
const HOUR_S = 3600;

/** What is shown at first, to the end of the running hour: an open dashboard shows what comes in. */
export const lastDays = (nowS: number): Span => {
  const to = nowS - (nowS % HOUR_S) + HOUR_S - 1;
  return { from: to + 1 - SHOWN_S, to };
};
