/** `Pacific/Honolulu, GMT-10`: the zone of this browser, in which moments are typed and days begin. */
export const zoneText = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' }).formatToParts();
  return `${timeZone}, ${parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;
};

/** Below the fields of a range: which zone its times and days are in. */
export const ZoneNote = () => (
  <p className="meta" style={{ marginBlockStart: 10 }}>
    {zoneText()}
  </p>
);
