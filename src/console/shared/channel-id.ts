/**
 * The id that a filter for a channel names, as lists show it (`#12`) or without its mark; 0 for none. Anything else matches nothing,
 * rather than everything.
 */
export const channelId = (text: string): number => {
  const digits = text.trim().replace(/^#/, '');
  if (digits === '') return 0;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : Number.MAX_SAFE_INTEGER;
};
