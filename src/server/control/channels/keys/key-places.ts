/** A key is encrypted for its channel: it cannot be decrypted in another row. */
export const channelKeyPlace = (channelId: number): string => `channel:${channelId}`;

/** A key of a pool is encrypted for its channel and itself: it cannot be decrypted in another row. */
export const poolKeyPlace = (channelId: number, keyMac: string): string =>
  `channel:${channelId}:key:${keyMac}`;
