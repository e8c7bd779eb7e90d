/* Lengths of time in seconds, as the API counts. Days are of 24 hours, not of the calendar. */
export const HOUR_S = 3600;
export const DAY_S = 24 * HOUR_S;
export const WEEK_S = 7 * DAY_S;
/** 30 days. */
export const MONTH_S = 30 * DAY_S;
