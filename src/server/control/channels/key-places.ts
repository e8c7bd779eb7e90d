/** A key is sealed to its channel: it cannot be opened in another row. */
export const channelKeyPlace = (channelId: number): string => `channel:${channelId}`;

/** A key of a pool is sealed to its channel and to itself: it cannot be opened in another row. */
export const poolKeyPlace = (channelId: number, keyMac: string): string =>
  `channel:${channelId}:key:${keyMac}`;
