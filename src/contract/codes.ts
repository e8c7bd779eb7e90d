/** Numeric codes on the wire. The names are ours, the values the specification's. */

/** The rank of a user; a higher one has all rights of the lower ones. */
export const role = { user: 1, admin: 10, root: 100 } as const;

/** Whether a user may sign in and call. */
export const userStatus = { enabled: 1, disabled: 2 } as const;

/** `autoDisabled`: by the server, not by an admin. */
export const channelStatus = { enabled: 1, disabled: 2, autoDisabled: 3 } as const;

/** Whether a token can be used. */
export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

/** A redemption code: unused, switched off, redeemed. */
export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const;

/** The kind of a log row; `any` only filters. */
export const logType = { any: 0, topUp: 1, consume: 2, manage: 3, system: 4, error: 5 } as const;

/** What moves quota beside calls: the kinds of journal rows. Redemptions and top-ups need a code or an order. */
export const claimKinds = ['redeem', 'topup'] as const;
export const journalKinds = [...claimKinds, 'grant', 'invite', 'transfer', 'admin', 'correction'] as const;

/** A token whose `expired_time` is this never expires. */
export const NEVER_EXPIRES = -1;

/** The group whose members are tried in the order of the `AutoGroups` option. */
export const AUTO_GROUP = 'auto';

/** The model where none is chosen: in the playground, in examples, in the test of a channel. */
export const DEFAULT_MODEL = 'gpt-4o-mini';

/** The group of new users, and of channels that name none. */
export const DEFAULT_GROUP = 'default';

/** What calls of a channel's test are logged as: their token's name, and their text. */
export const CHANNEL_TEST_NAME = '模型测试';
