import type * as contract from '#contract/api/channels.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Channels } from '../../control/channels.ts';
import type { KnownModels } from '../../control/known-models.ts';
import { refuse } from '../../control/refuse.ts';
import type { Upstreams } from '../../control/upstreams.ts';
import { servedModels } from '../../control/usable-groups.ts';
import type { Handlers } from '../handler.ts';
import { channelEdit, channelFilter, channelWire, channelWish } from './channel-wire.ts';
import { pageOf, pageRequest } from './page.ts';

interface ChannelHandlerDeps {
  readonly channels: Channels;
  readonly upstreams: Upstreams;
  readonly routing: () => Routing;
  readonly knownModels: KnownModels;
}

/** Upstreams, for admins. Keys come in and never go out. */
export const channelHandlers = ({
  channels,
  upstreams,
  routing,
  knownModels,
}: ChannelHandlerDeps): Handlers<typeof contract> => ({
  listChannels: async ({ query }) =>
    pageOf(await channels.list(channelFilter(query), pageRequest(query)), query, channelWire),
  searchChannels: async ({ query }) => {
    const filter = {
      ...channelFilter(query),
      keyword: query.keyword.trim(),
      ...(query.group && { group: query.group }),
      ...(query.model && { model: query.model }),
    };
    return pageOf(await channels.search(filter, pageRequest(query)), query, channelWire);
  },
  readChannel: async ({ params }) => channelWire(await channels.read(params.id)),
  createChannel: async ({ body }, { actor }) => {
    await channels.create(actor.user, channelWish(body));
    return null;
  },
  updateChannel: async ({ body }, { actor }) =>
    channelWire(await channels.update(actor.user, body.id, channelEdit(body))),
  deleteChannel: async ({ params }, { actor }) => {
    await channels.delete(actor.user, params.id);
    return null;
  },
  testChannel: async ({ params, query }, { actor }) => {
    const time = await upstreams.test(
      actor.user,
      await opened(channels, routing(), params.id),
      query.model.trim(),
    );
    return { data: null, fields: { time } };
  },
  fetchModels: async ({ params }) => upstreams.listModels(await opened(channels, routing(), params.id)),
  fetchModelsUnsaved: async ({ body }) => {
    const [key = ''] = body.key.split('\n');
    return upstreams.listModelsUnsaved(body.type, body.base_url, key.trim());
  },
  knownModels: async () => knownModels.all.map((id) => ({ id })),
  enabledModels: async () => servedModels(routing()),
});

/** A saved channel with its key open, enabled or not. */
const opened = async (channels: Channels, routing: Routing, id: number): Promise<Channel> => {
  const channel = routing.channels.get(id);
  if (channel !== undefined) return channel;
  await channels.read(id);
  throw refuse('channel_unreadable', { issue: routing.bad.find((bad) => bad.id === id)?.reason ?? '' });
};
