import type * as contract from '#contract/api/channels/channel-batch.ts';
import type { ChannelBatch, TagEdit } from '../../../control/channels/channel-batch.ts';
import type { Handlers } from '../../handler.ts';

/** Changes to many channels at once. */
export const channelBatchHandlers = ({
  channelBatch,
}: {
  readonly channelBatch: ChannelBatch;
}): Handlers<typeof contract> => ({
  deleteChannels: ({ body }, { actor }) => channelBatch.deleteMany(actor.user, body.ids),
  tagChannels: ({ body }, { actor }) => channelBatch.tagMany(actor.user, body.ids, body.tag),
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
    return channelBatch.editTag(actor.user, body.tag, Object.fromEntries(given) as TagEdit);
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
