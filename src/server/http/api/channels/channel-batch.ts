import type { z } from 'zod';
import type * as contract from '#contract/api/channels/channel-batch.ts';
import { commaList } from '#contract/text.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import { tagRows } from '#core/channel/tag-rows.ts';
import { type ChannelBatch, longestModels, type TagEdit } from '../../../control/channels/channel-batch.ts';
import type { Handlers } from '../../handler.ts';
import { changedSince } from '../changed-since.ts';

const tagChangedSince = (
  { tag, was = [] }: z.infer<typeof contract.tagChannels.body>,
  row: ChannelRow,
): string[] => {
  const seen = was.find(({ id }) => id === row.id);
  return changedSince({ tag, was: seen && { tag: seen.tag || null } }, { tag: row.tag || null });
};

/** Groups are shown in any order. */
const ordered = (groups: string | null | undefined): string | undefined =>
  groups ? commaList(groups).toSorted().join(',') : undefined;

const editChangedSince = (
  { was, models, groups, priority, weight }: z.infer<typeof contract.editTag.body>,
  rows: readonly ChannelRow[],
): string[] => {
  const [now] = tagRows(rows);
  return changedSince(
    {
      was: was && { ...was, ...('groups' in was && { groups: ordered(was.groups) }) },
      models: models || undefined,
      groups: ordered(groups),
      priority: priority ?? undefined,
      weight: weight ?? undefined,
    },
    {
      models: longestModels(rows),
      groups: ordered(now?.groups.join(',')),
      priority: now?.priority,
      weight: now?.weight,
    },
  );
};

/** Changes to many channels at once. */
export const channelBatchHandlers = ({
  channelBatch,
}: {
  readonly channelBatch: ChannelBatch;
}): Handlers<typeof contract> => ({
  deleteChannels: ({ body }, { actor }) => channelBatch.deleteMany(actor.user, body.ids),
  tagChannels: ({ body }, { actor }) =>
    channelBatch.tagMany(actor.user, body.ids, body.tag, (row) => tagChangedSince(body, row)),
  deleteDisabledChannels: (_input, { actor }) => channelBatch.deleteDisabled(actor.user),
  fixChannels: (_input, { actor }) => channelBatch.fix(actor.user),
  copyChannel: ({ params, body }, { actor }) => channelBatch.copy(actor.user, params.id, body.name),
  editTag: ({ body }, { actor }) => {
    const edit: { -readonly [Name in keyof TagEdit]: TagEdit[Name] | undefined } = {
      tag: body.new_tag ?? undefined,
      models: body.models ?? undefined,
      groups: body.groups ?? undefined,
      modelMapping: body.model_mapping ?? undefined,
      priority: body.priority ?? undefined,
      weight: body.weight ?? undefined,
    };
    const given = Object.entries(edit).filter(([, value]) => value !== undefined);
    return channelBatch.editTag(actor.user, body.tag, Object.fromEntries(given) as TagEdit, (rows) =>
      editChangedSince(body, rows),
    );
  },
  enableTag: async ({ body }, { actor }) => {
    await channelBatch.enableTag(actor.user, body.tag);
    return null;
  },
  disableTag: async ({ body }, { actor }) => {
    await channelBatch.disableTag(actor.user, body.tag);
    return null;
  },
  readTagModels: ({ query }) => channelBatch.modelsOfTag(query.tag),
});
