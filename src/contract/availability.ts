/** How long back availability is told, and in what steps: a day in hours, the others in days. */
export const availabilitySpans = ['24h', '7d', '30d', '90d'] as const;
