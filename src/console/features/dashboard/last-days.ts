import type { Span } from './usage-sums.ts';

/** Source: specification, data dashboard: the last 3 days. */
const SHOWN_S = 3 * 86_400;
const HOUR_S = 3600;

/** The initial time range, up to the end of the current hour, so that an open dashboard shows new calls. */
export const lastDays = (nowS: number): Span => {
  const to = nowS - (nowS % HOUR_S) + HOUR_S - 1;
  return { from: to + 1 - SHOWN_S, to };
};
