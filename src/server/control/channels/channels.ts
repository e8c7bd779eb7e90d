import { channelKeyPlace } from '#core/secrets/sealed-places.ts';
import { channelStatus } from '#contract/codes.ts';
import { CHANNEL_KEYS_MAX, CHANNEL_NAME_MAX_LENGTH } from '#contract/limits.ts';
import type { Channel, ChannelChanges, ChannelRow } from '#core/channel/channel.ts';
import type {
  ChannelCounts,
  ChannelFilter,
  ChannelSearch,
  ChannelStore,
  NewChannel,
} from '#core/channel/channel-store.ts';
import { parseChannel } from '#core/channel/parse-channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { ChannelKeyRow, ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { canRecover } from '#core/channel/keys/key-state.ts';
import type { PoolMode } from '#core/channel/keys/pool.ts';
import type { PastedKey } from './keys/pasted-keys.ts';
import { hasPool, newKeys } from './keys/pool-keys.ts';
import type { Clock } from '#core/clock.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { asRead } from '../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../changed-since.ts';
import { channelWithKeys } from './channel-with-keys.ts';
import { checkChannel, checkKeyStays, readKeys, splitKeys } from './channel-rules.ts';
import { openChannelKey, openPoolKey } from './open-channel-key.ts';
import { type CheckUrl, proxyPasswordOpener, sealedSetting, shownSetting } from './channel-proxy.ts';
import { checkBodiless, checkTexts } from './channel-texts.ts';
import { presentGroups, refuseUnknownInRules } from './known-groups.ts';
import { logAction } from '../log-action.ts';
import { refuse, sayError } from '../refuse.ts';

export interface ChannelDeps {
  readonly channels: ChannelStore;
  readonly channelKeys: Pick<ChannelKeyStore, 'add' | 'ofChannels'>;
  readonly vault: Vault;
  readonly logs: Pick<LogStore, 'append'>;
  readonly routing: () => Pick<Routing, 'options'>;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly checkUrl: CheckUrl;
}

/** A new channel as an admin enters it; the key as typed. */
export type ChannelWish = Omit<NewChannel, 'encryptKey' | 'keyMac' | 'createdAtMs'> & {
  readonly key: string;
};

/** An admin's change; absent fields stay. */
export type ChannelEdit = Partial<Omit<ChannelWish, 'key'>> & { readonly key?: string };

export type Channels = ReturnType<typeof createChannels>;

/** Fields about how a channel is used, not what it is. */
const SWITCHES = new Set<string>(['status', 'priority', 'weight', 'tag', 'remark', 'autoDisable']);

/** Manages channels. A change resolves once it is in the log and in the routing. Refusals are thrown. */
export const createChannels = (deps: ChannelDeps) => {
  const { channels, vault, refreshRouting } = deps;
  const found = (id: number): Promise<ChannelRow> => foundIn(channels, id);
  const changed = async (actor: User, content: string): Promise<void> => {
    await refreshRouting();
    await logAction(deps, actor, content);
  };

  return {
    list: channels.page,

    /** Counts what a search would find. */
    counts: (search: ChannelSearch): Promise<ChannelCounts> => channels.counts(withMac(vault, search)),

    /** Searches by id, name or address, or by a whole key, which is compared by its MAC only. */
    search: (
      filter: ChannelFilter & { readonly keyword: string },
      page: PageRequest,
    ): Promise<Page<ChannelRow>> => channels.page(withMac(vault, filter), page),

    read: found,

    /**
     * Creates one channel for each line of the key, all or none; with `pool`, a single channel that has all keys and
     * chooses among them by that mode.
     */
    async create(actor: User, wish: ChannelWish, pool?: PoolMode): Promise<void> {
      const ids = await created(deps, wish, pool);
      await changed(actor, storedPhrase('log_channel_created', { ids: ids.join(', '), name: wish.name }));
    },

    /**
     * Changes the given fields. Without a new key the stored one stays, and then the address it is sent to must stay,
     * too.
     */
    async update(
      actor: User,
      id: number,
      edit: ChannelEdit,
      changedSince: ChangedSince<ChannelRow> = unasked,
    ): Promise<ChannelRow> {
      const fields = await asRead(() => updatedOnce(deps, id, edit, changedSince), 'channel_changed');
      await changed(actor, storedPhrase('log_channel_changed', { id, fields: fields.join(', ') }));
      return found(id);
    },

    /** A channel from an unsaved form, for testing; `id` if it is a saved one. Nothing is saved. */
    draft: async (id: number | undefined, wish: ChannelWish): Promise<Channel> => {
      if (id === undefined) return draftOf(deps, undefined, wish, undefined);
      const { row, keys } = await asRead(
        () => channelWithKeys(channels, deps.channelKeys, id),
        'channel_changed',
      );
      return draftOf(deps, row, wish, keys.find(canRecover) ?? keys[0]);
    },

    async delete(actor: User, id: number): Promise<void> {
      if (!(await channels.delete(id))) throw refuse('channel_missing');
      await changed(actor, storedPhrase('log_channel_deleted', { id }));
    },
  };
};

const withMac = <Search extends ChannelSearch>(vault: Vault, search: Search): Search =>
  search.keyword ? { ...search, keyMac: vault.mac(search.keyword) } : search;

const created = async (
  deps: ChannelDeps,
  { key, ...asked }: ChannelWish,
  pool: PoolMode | undefined,
): Promise<readonly number[]> => {
  checkTexts(asked);
  await refuseUnknownInRules(deps, asked.setting);
  const wish = {
    ...asked,
    groups: presentGroups(deps, asked.groups),
    setting: sealedSetting(deps, asked.setting),
  };
  checkChannel({ ...blank, ...wish }, deps.checkUrl);
  checkBodiless({ ...blank, ...wish });
  const pasted = readKeys(wish.type, key).keys;
  const keys = pool === undefined ? pasted : pasted.slice(0, 1);
  const createdAtMs = deps.clock.now();
  const names = keys.length > 1 ? namesApart(wish.name, keys) : [wish.name];
  return deps.channels.create(
    keys.map(({ key: one }, at) => ({
      ...wish,
      name: names[at] ?? wish.name,
      createdAtMs,
      keyMac: deps.vault.mac(one),
      encryptKey: (id) => deps.vault.encrypt(one, channelKeyPlace(id)),
      ...(pool !== undefined && {
        pool: {
          mode: pool,
          keys: (id) => (pasted.length > 1 ? newKeys(deps.vault, id, pasted) : []),
          terms: { limit: CHANNEL_KEYS_MAX, nowMs: createdAtMs },
        },
      }),
    })),
  );
};

/** One try to change a channel. @returns the changed fields; undefined if it changed meanwhile */
const updatedOnce = async (
  deps: ChannelDeps,
  id: number,
  { key = '', ...asked }: ChannelEdit,
  changedSince: ChangedSince<ChannelRow>,
): Promise<readonly string[] | undefined> => {
  const { channels, channelKeys, vault } = deps;
  const before = await foundIn(channels, id);
  refuseChanged(changedSince(before));
  checkTexts(changedTexts(before, asked));
  await refuseUnknownInRules(deps, asked.setting ?? '', before.setting);
  const edit = {
    ...asked,
    ...(asked.groups !== undefined && { groups: presentGroups(deps, asked.groups) }),
    ...(asked.setting !== undefined && { setting: sealedSetting(deps, asked.setting, before.setting) }),
  };
  const after = { ...before, ...edit };
  if (BODY_FIELDS.some((name) => before[name] !== after[name])) checkBodiless(after);
  // A channel that is no longer valid can still be disabled.
  if (Object.keys(edit).some((name) => !SWITCHES.has(name))) checkChannel(after, deps.checkUrl);
  if (key === '') checkKeyStays(before, after);
  // Clears the reason of an automatic disabling.
  const restarted = after.status === channelStatus.enabled && before.status !== after.status;
  const changes = { ...edit, ...(restarted && { otherInfo: '' }) };
  const fields = Object.keys(edit);
  if (key !== '' && hasPool(before)) {
    const keys = newKeys(vault, id, readKeys(after.type, key).keys);
    const terms = { limit: CHANNEL_KEYS_MAX, nowMs: deps.clock.now(), replacesAll: true };
    const added = await channelKeys.add(id, keys, { ...terms, channel: changes, asRead: before.revision });
    if (added === 'full') throw refuse('channel_keys_full', { limit: CHANNEL_KEYS_MAX });
    return added === 'missing' ? undefined : fields;
  }
  const newKey = key === '' ? {} : sealedKey(vault, after, key);
  return (await channels.updateAsRead(before, { ...changes, ...newKey })) ? fields : undefined;
};

/**
 * The names of channels that are created together: each with the label that stood beside its key. Those that would be
 * the same get a number.
 */
const namesApart = (name: string, keys: readonly PastedKey[]): string[] => {
  const wanted = keys.map(({ label }) => `${name} ${label}`.slice(0, CHANNEL_NAME_MAX_LENGTH).trim());
  const taken = new Set(wanted);
  const isShared = (one: string): boolean => wanted.indexOf(one) !== wanted.lastIndexOf(one);
  const numbered = (one: string): string => {
    for (let number = 1; ; number += 1) {
      const end = `-${String(number)}`;
      const free = one.slice(0, CHANNEL_NAME_MAX_LENGTH - end.length) + end;
      if (!taken.has(free) && taken.add(free)) return free;
    }
  };
  return wanted.map((one) => (isShared(one) ? numbered(one) : one));
};

const foundIn = async (channels: ChannelStore, id: number): Promise<ChannelRow> => {
  const row = await channels.byId(id);
  if (row === undefined) throw refuse('channel_missing');
  return row;
};

/** The fields that decide whether a channel changes bodies, and whether it gets any. */
const BODY_FIELDS = ['models', 'setting', 'paramOverride'] as const;

/** The fields whose values really changed, because a form sends all fields back. */
const changedTexts = (before: ChannelRow, asked: Partial<ChannelWish>): Parameters<typeof checkTexts>[0] => ({
  ...(asked.setting !== undefined &&
    asked.setting !== shownSetting(before.setting) && { setting: asked.setting }),
  ...(asked.paramOverride !== undefined &&
    asked.paramOverride !== before.paramOverride && { paramOverride: asked.paramOverride }),
  ...(asked.modelMapping !== undefined &&
    asked.modelMapping !== before.modelMapping && { modelMapping: asked.modelMapping }),
  ...(asked.statusCodeMapping !== undefined &&
    asked.statusCodeMapping !== before.statusCodeMapping && { statusCodeMapping: asked.statusCodeMapping }),
});

/** Without a key the stored one is used, but only if it may be sent to this address. */
const draftOf = (
  { vault, checkUrl }: ChannelDeps,
  before: ChannelRow | undefined,
  { key, ...asked }: ChannelWish,
  pooled: ChannelKeyRow | undefined,
): Channel => {
  checkTexts(before === undefined ? asked : changedTexts(before, asked));
  const setting = sealedSetting({ vault, checkUrl }, asked.setting, before?.setting);
  const row = { ...blank, ...before, ...asked, setting };
  checkChannel(row, checkUrl);
  const opened = key === '' ? openedKey(vault, before, row, pooled) : (splitKeys(row.type, key)[0] ?? '');
  return parseChannel(row, () => new Secret(opened), proxyPasswordOpener(vault));
};

const openedKey = (
  vault: Vault,
  before: ChannelRow | undefined,
  after: ChannelRow,
  pooled: ChannelKeyRow | undefined,
): string => {
  if (before === undefined) throw sayError('invalid_request', 'channel_key_needed');
  checkKeyStays(before, after);
  if (pooled !== undefined) return openPoolKey(vault, pooled);
  return openChannelKey(vault, before);
};

const sealedKey = (vault: Vault, { id, type }: ChannelRow, text: string): ChannelChanges => {
  const [key = '', ...more] = splitKeys(type, text);
  if (more.length > 0) throw refuse('channel_one_key');
  return { keyMac: vault.mac(key), encryptedKey: vault.encrypt(key, channelKeyPlace(id)) };
};

/** Values of an unsaved row, so that a form can be checked like a row. */
const blank = {
  id: 0,
  encryptedKey: '',
  usedQuotaUnits: 0,
  balanceUsd: 0,
  balanceUpdatedAtMs: 0,
  responseTimeMs: 0,
  testedAtMs: 0,
  createdAtMs: 0,
  otherInfo: '',
  poolMode: 'in_turn' as const,
  keysVersion: 0,
  revision: 0,
};
