import type { z } from 'zod';
import type * as contract from '#contract/api/channels/channels.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Channel, ChannelRow } from '#core/channel/channel.ts';
import type { Language } from '#contract/messages.ts';
import type { Routing } from '#core/channel/routing.ts';
import { tagRows } from '#core/channel/tag-rows.ts';
import type { User } from '#core/user/user.ts';
import { weightShare } from '#core/channel/selection/weight-share.ts';
import type { ChannelFilter } from '#core/channel/channel-store.ts';
import { splitKeys } from '../../../control/channels/channel-rules.ts';
import type { ChannelBatch } from '../../../control/channels/channel-batch.ts';
import type { Channels } from '../../../control/channels/channels.ts';
import type { KnownModels } from '../../../control/channels/known-models.ts';
import type { Upstreams } from '../../../control/channels/checks/upstreams.ts';
import { servedModels } from '../../../control/people/usable-groups.ts';
import type { Handlers } from '../../handler.ts';
import {
  channelEdit,
  channelFilter,
  channelWire,
  channelWish,
  searchFilter,
  tagWire,
} from './channel-wire.ts';
import { channelNameOf } from './channel-name.ts';
import { testAnswer } from './channel-test-wire.ts';
import type { freeToday } from './free-today.ts';
import { openedChannel } from './opened-channel.ts';
import { changedSince } from '../changed-since.ts';
import { pageOf, pageRequest } from '../page.ts';

type TagPages = Pick<ChannelBatch, 'pageOfTags' | 'pageOfTagSums'>;

interface ChannelHandlerDeps {
  readonly channels: Channels;
  readonly channelBatch: TagPages;
  readonly upstreams: Upstreams;
  readonly routing: () => Routing;
  readonly knownModels: KnownModels;
  readonly freeToday: (channel: Channel | undefined) => ReturnType<typeof freeToday>;
}

const withKeys = (routing: Routing, row: ChannelRow, language: Language) =>
  channelWire(row, language, routing.channels.get(row.id)?.pool);

const withShare = (routing: Routing, language: Language) => (row: ChannelRow) => {
  const share = weightShare(routing, row.id);
  return { ...withKeys(routing, row, language), ...(share !== undefined && { share }) };
};

/** Channels, for admins. Keys are accepted and never sent back. */
export const channelHandlers = ({
  channels,
  channelBatch,
  upstreams,
  routing,
  knownModels,
  freeToday,
}: ChannelHandlerDeps): Handlers<typeof contract> => ({
  listChannels: async ({ query }, { language }) =>
    query.tag_mode
      ? tagPage(channelBatch, channelFilter(query), query, (row) => withKeys(routing(), row, language))
      : pageOf(
          await channels.list(channelFilter(query), pageRequest(query)),
          query,
          withShare(routing(), language),
        ),
  searchChannels: async ({ query }, { language }) => {
    const filter = { ...channelFilter(query), ...searchFilter(query) };
    if (query.tag_mode)
      return tagPage(channelBatch, filter, query, (row) => withKeys(routing(), row, language));
    const page = await channels.search(filter, pageRequest(query));
    return pageOf(page, query, withShare(routing(), language));
  },
  countChannels: async ({ query }) => {
    const filter = { ...searchFilter(query), ...(query.type !== 0 && { type: query.type }) };
    const { enabled, disabled, autoDisabled } = await channels.counts(filter);
    return { enabled, disabled, auto_disabled: autoDisabled };
  },
  channelNames: async ({ query }) => {
    const known = routing();
    return query.ids.split(',').flatMap((text) => {
      const id = Number(text);
      const name = channelNameOf(known, id);
      return name === '' ? [] : [{ id, name }];
    });
  },
  readChannel: async ({ params: { id } }, { language }) => ({
    ...withKeys(routing(), await channels.read(id), language),
    ...(await freeToday(routing().channels.get(id))),
  }),
  createChannel: async ({ body }, { actor }) => {
    await channels.create(actor.user, channelWish(body), body.pool_mode);
    return null;
  },
  updateChannel: async ({ body }, { actor, language }) =>
    withKeys(routing(), await updated(channels, actor.user, body, language), language),
  deleteChannel: async ({ params }, { actor }) => {
    await channels.delete(actor.user, params.id);
    return null;
  },
  testChannel: async ({ params, query }, { actor }) => {
    const saved = await openedChannel(channels, routing(), params.id);
    const wish = { model: query.model.trim(), stream: query.stream };
    return testAnswer(await upstreams.test(actor.user, saved, wish));
  },
  testUnsavedChannel: async ({ body }, { actor }) => {
    const channel = await channels.draft(body.id, channelWish(body));
    const wish = { model: body.model.trim(), stream: body.stream };
    return testAnswer(await upstreams.testDraft(actor.user, channel, wish));
  },
  fetchModels: async ({ params }) =>
    upstreams.listModels(await openedChannel(channels, routing(), params.id)),
  fetchModelsUnsaved: async ({ body }) => {
    const { type, other, base_url: baseUrl } = body;
    const [key = ''] = splitKeys(type, body.key);
    return upstreams.listModelsUnsaved({ type, other, baseUrl, proxy: body.proxy }, key);
  },
  knownModels: async () => knownModels.all.map((id) => ({ id })),
  enabledModels: async () => servedModels(routing()),
});

const updated = (
  channels: Channels,
  actor: User,
  body: z.infer<typeof contract.updateChannel.body>,
  language: Language,
): Promise<ChannelRow> =>
  channels.update(actor, body.id, channelEdit(body), (row) => changedSince(body, channelWire(row, language)));

/** A page of tags: each tag as a row, with its channels unless only sums are requested. */
const tagPage = async (
  channelBatch: TagPages,
  filter: ChannelFilter,
  query: PageQuery & { readonly tag_sums: boolean },
  wire: (row: ChannelRow) => ReturnType<typeof channelWire>,
) => {
  if (query.tag_sums) {
    const { items, total } = await channelBatch.pageOfTagSums(filter, pageRequest(query));
    return { ...pageOf({ items: [], total }, query, wire), tags: items.map(tagWire) };
  }
  const found = await channelBatch.pageOfTags(filter, pageRequest(query));
  return {
    ...pageOf(found, query, wire),
    tags: tagRows(found.items).map(tagWire),
  };
};
