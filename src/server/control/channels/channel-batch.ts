import { channelKeyPlace } from '#core/secrets/sealed-places.ts';
import { channelStatus } from '#contract/codes.ts';
import { commaList } from '#contract/text.ts';
import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import type { ChannelChanges, ChannelRow } from '#core/channel/channel.ts';
import type { ChannelFilter, ChannelStore } from '#core/channel/channel-store.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { TagRow } from '#core/channel/tag-rows.ts';
import type { ChannelKeyStore } from '#core/channel/keys/channel-key-store.ts';
import { CHANNEL_KEYS_MAX } from '#contract/limits.ts';
import type { Clock } from '#core/clock.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { asRead } from '../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../changed-since.ts';
import { channelWithKeys } from './channel-with-keys.ts';
import { checkChannel } from './channel-rules.ts';
import { openChannelKey, openPoolKey } from './open-channel-key.ts';
import { type CheckUrl } from './channel-proxy.ts';
import { newKey } from './keys/pool-keys.ts';
import { checkBodiless, checkTexts } from './channel-texts.ts';
import { presentGroups } from './known-groups.ts';
import { logAction } from '../log-action.ts';
import { refuse } from '../refuse.ts';

interface ChannelBatchDeps {
  readonly channels: Pick<ChannelStore, 'byId' | 'byIds' | 'create'>;
  readonly channelKeys: Pick<ChannelKeyStore, 'ofChannels'>;
  readonly channelBatch: ChannelBatchStore;
  readonly vault: Vault;
  readonly logs: Pick<LogStore, 'append'>;
  readonly routing: () => Routing;
  readonly refreshRouting: () => Promise<void>;
  readonly clock: Clock;
  readonly checkUrl: CheckUrl;
}

/** A change to every channel of a tag; absent fields stay. */
export interface TagEdit {
  /** Empty removes the tag from its channels. */
  readonly tag?: string;
  readonly models?: string;
  readonly groups?: string;
  readonly modelMapping?: string;
  readonly priority?: number;
  readonly weight?: number;
}

export type ChannelBatch = ReturnType<typeof createChannelBatch>;

/** Changes many channels at once; each operation writes one log row and rebuilds the routing once. */
export const createChannelBatch = (deps: ChannelBatchDeps) => {
  const { channelBatch } = deps;
  const done = (actor: User, content: string): Promise<void> => finished(deps, actor, content);
  // The search text may be a whole key.
  const searched = (filter: ChannelFilter): ChannelFilter =>
    filter.keyword ? { ...filter, keyMac: deps.vault.mac(filter.keyword) } : filter;
  return {
    pageOfTags: (filter: ChannelFilter, page: PageRequest): Promise<Page<ChannelRow>> =>
      channelBatch.pageOfTags(searched(filter), page),

    pageOfTagSums: (filter: ChannelFilter, page: PageRequest): Promise<Page<TagRow>> =>
      channelBatch.pageOfTagSums(searched(filter), page),

    async deleteMany(actor: User, ids: readonly number[]): Promise<number> {
      const count = await channelBatch.deleteMany(ids);
      await done(actor, storedPhrase('log_channels_deleted', { count, ids: ids.join(', ') }));
      return count;
    },

    async deleteDisabled(actor: User): Promise<number> {
      const count = await channelBatch.deleteDisabled();
      await done(actor, storedPhrase('log_channels_cleaned', { count }));
      return count;
    },

    /**
     * Rebuilds the routing.
     * @returns how many channels it serves
     */
    async fix(actor: User): Promise<number> {
      await done(actor, storedPhrase('log_channels_read'));
      return deps.routing().channels.size;
    },

    /**
     * Copies a channel, with its key encrypted anew and without its usage.
     * @returns the id of the copy
     */
    async copy(actor: User, id: number, name: string | undefined): Promise<number> {
      const { channels, channelKeys, vault } = deps;
      const read = () => channelWithKeys(channels, channelKeys, id);
      const { row, keys: rows } = await asRead(read, 'channel_changed');
      checkTexts(row);
      const keys = rows.map((one) => openPoolKey(vault, one));
      const key = keys[0] ?? openChannelKey(vault, row);
      const createdAtMs = deps.clock.now();
      const [made = 0] = await channels.create([
        {
          ...row,
          name: name === undefined || name === '' ? `${row.name}_copy` : name,
          createdAtMs,
          keyMac: vault.mac(key),
          encryptKey: (newId) => vault.encrypt(key, channelKeyPlace(newId)),
          ...(rows.length > 0 && {
            pool: {
              mode: row.poolMode,
              keys: (newId) => rows.map((one, index) => newKey(vault, newId, keys[index] ?? '', one)),
              terms: { limit: CHANNEL_KEYS_MAX, nowMs: createdAtMs },
            },
          }),
        },
      ]);
      await done(actor, storedPhrase('log_channel_copied', { id, copy: made }));
      return made;
    },
    ...tagWork(deps),
  };
};

/** Operations on every channel of a tag. */
const tagWork = (deps: ChannelBatchDeps) => {
  const { channelBatch } = deps;
  const done = (actor: User, content: string): Promise<void> => finished(deps, actor, content);
  const ofTag = async (tag: string): Promise<readonly ChannelRow[]> => {
    const rows = await channelBatch.byTag(tag);
    if (rows.length === 0) throw refuse('channel_tag_missing', { tag });
    return rows;
  };
  const switchTag = async (actor: User, tag: string, to: 'on' | 'off'): Promise<void> => {
    const rows = await ofTag(tag);
    const changes =
      to === 'on' ? { status: channelStatus.enabled, otherInfo: '' } : { status: channelStatus.disabled };
    await channelBatch.updateMany(idsOf(rows), changes);
    await done(actor, storedPhrase(to === 'on' ? 'log_tag_on' : 'log_tag_off', { tag }));
  };

  return {
    /** Null removes the tag. */
    async tagMany(
      actor: User,
      ids: readonly number[],
      tag: string | null,
      changedSince: ChangedSince<ChannelRow> = unasked,
    ): Promise<number> {
      const count = await asRead(async () => {
        const rows = await deps.channels.byIds(ids);
        refuseChanged([...new Set(rows.flatMap(changedSince))]);
        return (await channelBatch.updateManyAsRead(rows, { tag })) ? rows.length : undefined;
      }, 'channel_changed');
      await done(
        actor,
        tag === null
          ? storedPhrase('log_channels_untagged', { ids: ids.join(', ') })
          : storedPhrase('log_channels_tagged', { ids: ids.join(', '), tag }),
      );
      return count;
    },

    /**
     * Changes every channel of a tag, all or none.
     * @returns how many were changed
     */
    async editTag(
      actor: User,
      tag: string,
      edit: TagEdit,
      changedSince: ChangedSince<readonly ChannelRow[]> = unasked,
    ): Promise<number> {
      const asked = changesOf(tag, edit);
      if (Object.keys(asked).length === 0) throw refuse('channel_tag_unchanged');
      checkTexts(asked);
      const count = await asRead(async () => {
        const rows = await ofTag(tag);
        refuseChanged(changedSince(rows));
        const groups = asked.groups === undefined ? {} : { groups: presentGroups(deps, asked.groups) };
        const changes = { ...asked, ...groups };
        if ('models' in changes || 'paramOverride' in changes)
          for (const row of rows) checkBodiless({ ...row, ...changes });
        if ('models' in changes || 'modelMapping' in changes || 'groups' in changes)
          for (const row of rows) checkChannel({ ...row, ...changes }, deps.checkUrl);
        return (await channelBatch.updateManyAsRead(rows, changes)) ? rows.length : undefined;
      }, 'channel_changed');
      await done(actor, storedPhrase('log_tag_changed', { tag, fields: Object.keys(asked).join(', ') }));
      return count;
    },

    enableTag: (actor: User, tag: string) => switchTag(actor, tag, 'on'),
    disableTag: (actor: User, tag: string) => switchTag(actor, tag, 'off'),

    modelsOfTag: async (tag: string): Promise<string> => longestModels(await channelBatch.byTag(tag)),
  };
};

/** The longest model list among the channels of a tag. */
export const longestModels = (rows: readonly ChannelRow[]): string =>
  rows
    .map(({ models }) => models)
    .toSorted((left, right) => commaList(right).length - commaList(left).length)[0] ?? '';

const finished = async (deps: ChannelBatchDeps, actor: User, content: string): Promise<void> => {
  await deps.refreshRouting();
  await logAction(deps, actor, content);
};

const idsOf = (rows: readonly ChannelRow[]): number[] => rows.map(({ id }) => id);

const changesOf = (tag: string, edit: TagEdit): ChannelChanges => {
  const { tag: newTag, priority, weight } = edit;
  return {
    ...(newTag !== undefined && newTag !== tag && { tag: newTag === '' ? null : newTag }),
    ...(edit.models && { models: commaList(edit.models).join(',') }),
    ...(edit.groups && { groups: commaList(edit.groups).join(',') }),
    ...(edit.modelMapping && { modelMapping: edit.modelMapping }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
  };
};
