import { CHANNEL_KEYS_MAX } from '#contract/limits.ts';
import { keyHomeOf } from '#contract/channel/key-home.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type {
  ChannelKeyChanges,
  ChannelKeyFilter,
  ChannelKeyRow,
  ChannelKeyStore,
} from '#core/channel/keys/channel-key-store.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { enabledKey } from '#core/channel/keys/key-state.ts';
import { keyLimitsText, parseKeyLimits } from '#core/channel/keys/parse-key.ts';
import { type KeyLimits, keyName, type KeyState, type PoolMode } from '#core/channel/keys/pool.ts';
import type { Clock } from '#core/clock.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { logAction } from '../../log-action.ts';
import { refuse } from '../../refuse.ts';
import { asRead } from '../../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../../changed-since.ts';
import { openChannelKey } from '../open-channel-key.ts';
import { type CheckUrl, type SealedProxy, sealedProxy } from '../channel-proxy.ts';
import { readKeys, splitKeys } from '../channel-rules.ts';
import type { KeyCare } from './key-care.ts';
import { foundChannel, hasPool, keyFilter, newKey } from './pool-keys.ts';

export interface ChannelKeyDeps {
  readonly channels: Pick<ChannelStore, 'byId' | 'update'>;
  readonly channelKeys: ChannelKeyStore;
  readonly keyCare: Pick<KeyCare, 'follow'>;
  readonly vault: Vault;
  readonly logs: Pick<LogStore, 'append'>;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly checkUrl: CheckUrl;
}

/** What an admin may change in a key; absent fields stay. */
export interface KeyEdit {
  readonly label?: string | undefined;
  readonly weight?: number | undefined;
  readonly limits?: Partial<KeyLimits> | undefined;
  /** As typed, with its password; empty to use the channel's proxy. */
  readonly proxy?: string | undefined;
  readonly isOn?: boolean | undefined;
  /** Replaces the key itself. */
  readonly key?: string | undefined;
}

/** A channel and one of its keys. */
type KeyIds = readonly [channelId: number, keyId: number];

export type ChannelKeys = ReturnType<typeof createChannelKeys>;

/** Manages the keys of channels that have several. A change resolves once it is in the log and in the routing. */
export const createChannelKeys = (deps: ChannelKeyDeps) => {
  const { channelKeys } = deps;
  const channelOf = (id: number): Promise<ChannelRow> => foundChannel(deps, id);
  const done = (actor: User, content: string): Promise<void> => finished(deps, actor, content);

  return {
    /**
     * Adds keys, one per line, with the names beside them, except those the channel already has. A channel with a single
     * key becomes one with several.
     * @returns how many were added
     */
    async add(
      actor: User,
      channelId: number,
      text: string,
      about: { label?: string; weight?: number },
    ): Promise<number> {
      const count = await asRead(() => addedOnce(deps, channelId, text, about), 'channel_changed');
      if (count <= 0) throw refuse('channel_keys_none_new');
      await done(actor, storedPhrase('log_channel_keys_added', { id: channelId, count }));
      await deps.keyCare.follow(channelId);
      return count;
    },

    /** Changes one key. A new proxy that could read the key requires entering the key again. */
    async edit(
      actor: User,
      [channelId, keyId]: KeyIds,
      edit: KeyEdit,
      changedSince: ChangedSince<ChannelKeyRow> = unasked,
    ): Promise<ChannelKeyRow> {
      const change = () => editedOnce(deps, [channelId, keyId], edit, changedSince);
      const row = await asRead(change, 'channel_changed');
      const fields = Object.keys(edit).join(', ');
      await done(
        actor,
        storedPhrase('log_channel_key_changed', { id: channelId, key: keyName(row), fields }),
      );
      if (edit.isOn !== undefined || edit.key) await deps.keyCare.follow(channelId);
      return (await channelKeys.byId(channelId, keyId)) ?? row;
    },

    switchAll: (actor: User, channelId: number, which: ChannelKeyFilter, isOn: boolean) =>
      switchAll(deps, actor, channelId, { which, isOn }),

    remove: (actor: User, channelId: number, which: ChannelKeyFilter) =>
      remove(deps, actor, channelId, which),

    /** Sets how the next key is chosen. */
    async setMode(actor: User, channelId: number, poolMode: PoolMode): Promise<void> {
      if (!hasPool(await channelOf(channelId))) throw refuse('channel_keys_single');
      await deps.channels.update(channelId, { poolMode });
      await done(actor, storedPhrase('log_channel_pool_mode', { id: channelId, mode: poolMode }));
    },
  };
};

/** One try to add keys. @returns how many there are more; undefined if the channel changed meanwhile */
const addedOnce = async (
  deps: ChannelKeyDeps,
  channelId: number,
  text: string,
  about: { label?: string; weight?: number },
): Promise<number | undefined> => {
  const { vault } = deps;
  const channel = await foundChannel(deps, channelId);
  const { keys } = readKeys(channel.type, text);
  const first = hasPool(channel) ? [] : [openChannelKey(vault, channel)];
  const fresh = keys.filter(({ key }) => !first.includes(key));
  if (fresh.length === 0) throw refuse('channel_keys_none_new');
  const rows = [
    ...first.map((key) => newKey(vault, channelId, key)),
    ...fresh.map(({ key, label }) =>
      newKey(vault, channelId, key, { ...about, ...(label !== '' && { label }) }),
    ),
  ];
  // The channel's own key must not come back to an address that the channel got meanwhile.
  const unmoved = first.length > 0 && { asRead: channel.revision };
  const terms = { limit: CHANNEL_KEYS_MAX, nowMs: deps.clock.now(), ...unmoved };
  const added = await deps.channelKeys.add(channelId, rows, terms);
  if (added === 'full') throw refuse('channel_keys_full', { limit: CHANNEL_KEYS_MAX });
  return added === 'missing' ? undefined : added - first.length;
};

/** One try to change a key. @returns it as it was; undefined if its channel changed meanwhile */
const editedOnce = async (
  deps: ChannelKeyDeps,
  [channelId, keyId]: KeyIds,
  edit: KeyEdit,
  changedSince: ChangedSince<ChannelKeyRow>,
): Promise<ChannelKeyRow | undefined> => {
  const { channelKeys } = deps;
  const channel = await foundChannel(deps, channelId);
  const row = await channelKeys.byId(channelId, keyId);
  if (row === undefined) throw refuse('channel_key_missing');
  refuseChanged(changedSince(row));
  const isByRest = edit.proxy !== undefined || edit.limits !== undefined || changedSince !== unasked;
  const terms = isByRest ? { asRead: channel.revision } : {};
  const outcome = await channelKeys.change(channelId, keyId, changesOf(deps, channel, row, edit), terms);
  if (outcome === 'taken') throw refuse('channel_key_taken');
  return outcome === 'changed' ? row : undefined;
};

/** Switches keys on or off. @returns the ids of those that were not so already */
const switchAll = async (
  deps: ChannelKeyDeps,
  actor: User,
  channelId: number,
  { which, isOn }: { readonly which: ChannelKeyFilter; readonly isOn: boolean },
): Promise<readonly number[]> => {
  await foundChannel(deps, channelId);
  const state = switched(isOn, deps.clock.now());
  const ids = await deps.channelKeys.switchAll(channelId, keyFilter(deps.vault, which), state);
  if (ids.length === 0) return ids;
  const phrase = isOn ? 'log_channel_keys_on' : 'log_channel_keys_off';
  const values = { id: channelId, count: ids.length, keys: ids.join(', ') };
  await finished(deps, actor, storedPhrase(phrase, values));
  await deps.keyCare.follow(channelId);
  return ids;
};

/** Deletes keys, but never the last one. @returns how many */
const remove = async (
  deps: ChannelKeyDeps,
  actor: User,
  channelId: number,
  which: ChannelKeyFilter,
): Promise<number> => {
  await foundChannel(deps, channelId);
  const ids = await deps.channelKeys.delete(channelId, keyFilter(deps.vault, which));
  if (ids === 'last') throw refuse('channel_key_last');
  const count = ids.length;
  if (count === 0) throw refuse('channel_key_missing');
  const values = { id: channelId, count, keys: ids.join(', ') };
  await finished(deps, actor, storedPhrase('log_channel_keys_deleted', values));
  await deps.keyCare.follow(channelId);
  return count;
};

const finished = async (deps: ChannelKeyDeps, actor: User, content: string): Promise<void> => {
  await deps.refreshRouting();
  await logAction(deps, actor, content);
};

const changesOf = (
  deps: ChannelKeyDeps,
  channel: ChannelRow,
  row: ChannelKeyRow,
  { label, weight, limits, proxy, isOn, key = '' }: KeyEdit,
): ChannelKeyChanges => {
  const nowMs = deps.clock.now();
  const carrier: Partial<SealedProxy> = proxy === undefined ? {} : sealedProxy(deps, proxy, row);
  // If the address is not https, the key's proxy could read it.
  const isSeen =
    !keyHomeOf(channel.type, channel.baseUrl).startsWith('https:') && (carrier.proxy ?? '') !== '';
  if (isSeen && carrier.proxy !== row.proxy && key === '') throw refuse('channel_key_proxy');
  return {
    ...(label !== undefined && { label }),
    ...(weight !== undefined && { weight }),
    ...(limits !== undefined && { limits: keyLimitsText({ ...parseKeyLimits(row.limits), ...limits }) }),
    ...carrier,
    ...(key !== '' && replaced(deps, channel, key, nowMs)),
    ...(isOn !== undefined && row.status !== (isOn ? 'enabled' : 'off') && switched(isOn, nowMs)),
  };
};

/** The state of the previous key does not apply to the new one. */
const replaced = (
  { vault }: ChannelKeyDeps,
  channel: ChannelRow,
  text: string,
  nowMs: number,
): ChannelKeyChanges => {
  const [key = '', ...more] = splitKeys(channel.type, text);
  if (more.length > 0) throw refuse('channel_one_key');
  const { tail, encryptedKey, keyMac } = newKey(vault, channel.id, key);
  return { tail, encryptedKey, keyMac, ...enabledKey, changedAtMs: nowMs, testedAtMs: 0 };
};

const switched = (isOn: boolean, changedAtMs: number): KeyState & Pick<ChannelKeyRow, 'changedAtMs'> =>
  isOn ? { ...enabledKey, changedAtMs } : { status: 'off', reason: '', untilMs: 0, rounds: 0, changedAtMs };
