import type * as contract from '#contract/api/channels/channel-checks.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Balances } from '../../../control/channels/checks/channel-balances.ts';
import type { ChannelRounds } from '../../../control/channels/checks/channel-rounds.ts';
import type { Channels } from '../../../control/channels/channels.ts';
import type { Upstreams } from '../../../control/channels/checks/upstreams.ts';
import type { AskedPrices } from '../../../control/channels/checks/asked-prices.ts';
import type { RoundState } from '../../../control/channels/checks/round.ts';
import type { SeenGroup, Sightings } from '../../../control/channels/sightings.ts';
import type { Handlers } from '../../handler.ts';
import { channelWish } from './channel-wire.ts';
import { openedChannel } from './opened-channel.ts';
import { toSeconds } from '../page.ts';

interface ChannelCheckDeps {
  readonly channels: Channels;
  readonly routing: () => Routing;
  readonly balances: Balances;
  readonly rounds: ChannelRounds;
  readonly seen: Sightings;
  readonly upstreams: Pick<Upstreams, 'askedPrices'>;
}

/** Tests and balances of all channels, and who calls through one. */
export const channelCheckHandlers = (deps: ChannelCheckDeps): Handlers<typeof contract> => ({
  testAllChannels: async (_input, { actor }) => {
    deps.rounds.testAll(actor.user, { tell: true });
    return null;
  },
  updateAllBalances: async () => {
    deps.rounds.updateBalances();
    return null;
  },
  updateBalance: async ({ params }) => {
    const channel = await openedChannel(deps.channels, deps.routing(), params.id);
    return { data: null, fields: { balance: await deps.balances.update(channel) } };
  },
  readRounds: async () => ({
    test: roundWire(deps.rounds.state('test')),
    balance: roundWire(deps.rounds.state('balance')),
  }),
  stopRound: async ({ params }) => {
    await deps.rounds.stop(params.kind);
    return null;
  },
  readSightings: async ({ params }) => {
    await deps.channels.read(params.id);
    return { groups: (await deps.seen.ofChannel(params.id)).map(groupWire) };
  },
  askPrices: async ({ body }) =>
    pricesWire(await deps.upstreams.askedPrices(await deps.channels.draft(body.id, channelWish(body)))),
});

const pricesWire = ({ prices, unpriced, groups }: AskedPrices) => ({
  prices: [...prices].map(([model, { cost, isPartial }]) => ({ model, cost, partial: isPartial })),
  unpriced: [...unpriced],
  groups: [...groups].map(([name, ratio]) => ({ name, ratio })),
});

/** The state of background work; null if it never ran. */
export const roundWire = (state: RoundState | undefined) =>
  state === undefined
    ? null
    : {
        running: state.isRunning,
        done: state.done,
        total: state.total,
        failed: state.failed,
        current: state.current,
        started_time: toSeconds(state.startedAtMs),
        finished_time: toSeconds(state.finishedAtMs),
        stopped: state.isStopped,
      };

const groupWire = (group: SeenGroup) => ({
  group: group.group,
  first_seen: toSeconds(group.firstSeenMs),
  last_seen: toSeconds(group.lastSeenMs),
  client_types: group.clients.map((client) => ({
    client_type: client.clientType,
    count: client.count,
    first_seen: toSeconds(client.firstSeenMs),
    last_seen: toSeconds(client.lastSeenMs),
  })),
});
