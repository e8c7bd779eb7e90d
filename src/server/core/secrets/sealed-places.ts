/*
 * The place of every encrypted text, which is authenticated with it: moved to another row, or another kind of row, it does not
 * decrypt. `store/vault/sealed-columns.ts` lists where these texts stand.
 */

export const channelKeyPlace = (channelId: number): string => `channel:${channelId}`;

/** A key of a pool belongs to its channel and to itself. */
export const poolKeyPlace = (channelId: number, keyMac: string): string =>
  `channel:${channelId}:key:${keyMac}`;

/** The password of a proxy belongs to its address, without the password. */
export const proxyPlace = (proxyAddress: string): string => `proxy:${proxyAddress}`;

/** A relay token belongs to its owner. */
export const tokenPlace = (userId: number): string => `token-of:${userId}`;

export const redemptionPlace = (keyMac: string): string => `redemption:${keyMac}`;

export const sealKeyPlace = (keyId: string): string => `seal_key:${keyId}`;

export const optionPlace = (key: string): string => `option:${key}`;

export const secondFactorPlace = (userId: number): string => `second-factor:${userId}`;

/** The secret with which a user's webhook is signed. */
export const webhookPlace = (userId: number): string => `user-webhook:${userId}`;

/** The field of a user's stored settings that has it, encrypted. */
export const WEBHOOK_SECRET = 'webhook_secret_sealed';
