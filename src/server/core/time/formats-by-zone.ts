/** More zones than there are, so that nobody can fill the memory with names. */
const MOST_ZONES = 600;

/**
 * The formatter of each time zone, made once, because that takes far longer than using it. The first of a process also reads some
 * 7 MB of tables: UTC is worked out without one.
 */
export const formatsByZone = (
  options: Intl.DateTimeFormatOptions,
): ((zone: string) => Intl.DateTimeFormat) => {
  const known = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    const made = known.get(zone);
    if (made !== undefined) return made;
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options });
    if (known.size < MOST_ZONES) known.set(zone, format);
    return format;
  };
};
