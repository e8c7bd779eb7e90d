/** The spans of the availability page: a day in steps of an hour, the others in steps of a day. */
export const availabilitySpans = ['24h', '7d', '30d', '90d'] as const;
