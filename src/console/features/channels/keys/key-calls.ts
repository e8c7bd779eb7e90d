import {
  addKeys,
  deleteKeys,
  listKeys,
  previewKeys,
  readKeyRound,
  setPoolMode,
  stopKeyRound,
  switchKeys,
  testAllKeys,
  testKey,
  updateKey,
} from '#contract/api/channels/channel-keys.ts';
import type { Data, Sent } from '#contract/endpoint.ts';
import { call, callWhole } from '../../../lib/server/api.ts';
import { CHANNELS } from '../channel.ts';

/** The query keys of a channel's keys, and of the test of all of them. */
export const CHANNEL_KEYS = 'channel-keys';
/** What a change of keys makes stale. */
export const KEYS_CHANGED = [CHANNEL_KEYS, CHANNELS];
export const KEY_ROUND = 'channel-key-round';

export type KeyPage = Data<typeof listKeys>;
export type ChannelKey = KeyPage['items'][number];
export type KeyStatus = ChannelKey['status'];
export type PoolMode = KeyPage['mode'];
export type KeyPreview = Data<typeof previewKeys>;
export type KeyChanges = NonNullable<Sent<typeof updateKey>['body']>;

export const KEYS_ON_A_PAGE = 50;

export interface KeyView {
  readonly page: number;
  readonly status: KeyStatus | undefined;
  readonly keyword: string;
}

export const loadKeys = (
  channelId: number,
  { page, status, keyword }: KeyView,
  signal: AbortSignal,
): Promise<KeyPage> => {
  const query = { p: page, page_size: KEYS_ON_A_PAGE, keyword, ...(status !== undefined && { status }) };
  return call(listKeys, { params: { id: channelId }, query }, signal);
};

export const lookAtKeys = (channelId: number, keys: string, signal: AbortSignal): Promise<KeyPreview> =>
  call(previewKeys, { params: { id: channelId }, body: { keys } }, signal);

export const pasteKeys = async (channelId: number, keys: string): Promise<number> =>
  (await call(addKeys, { params: { id: channelId }, body: { keys } })).added;

export const changeKey = (channelId: number, keyId: number, body: KeyChanges): Promise<ChannelKey> =>
  call(updateKey, { params: { id: channelId, key_id: keyId }, body });

/** Keys by their ids, or all that a filter finds. */
export type WhichKeys = NonNullable<Sent<typeof deleteKeys>['body']>;
export type SwitchedTo = NonNullable<Sent<typeof switchKeys>['body']>['to'];

/** How many were deleted. */
export const removeKeys = async (channelId: number, which: WhichKeys): Promise<number> =>
  (await call(deleteKeys, { params: { id: channelId }, body: which })).deleted;

/** Returns the ids of the keys whose state has changed. */
export const switchAllKeys = async (
  channelId: number,
  which: WhichKeys,
  to: SwitchedTo,
): Promise<readonly number[]> =>
  (await call(switchKeys, { params: { id: channelId }, body: { ...which, to } })).ids;

export const chooseMode = (channelId: number, mode: PoolMode): Promise<null> =>
  call(setPoolMode, { params: { id: channelId }, body: { mode } });

/** How long a small request with the key took, in milliseconds. */
export const tryKey = async (channelId: number, keyId: number): Promise<number> => {
  const { time } = await callWhole(testKey, { params: { id: channelId, key_id: keyId }, body: {} });
  return Number(time) * 1000;
};

/** Tests all keys, or those that a filter finds. */
export const tryAllKeys = (
  channelId: number,
  { status, keyword = '' }: Omit<WhichKeys, 'ids'> = {},
): Promise<null> =>
  call(testAllKeys, {
    params: { id: channelId },
    query: { keyword, ...(status !== undefined && { status }) },
  });
export const loadRound = () => call(readKeyRound);
export const endRound = (): Promise<null> => call(stopKeyRound);
