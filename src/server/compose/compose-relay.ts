import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Log } from '#core/logging.ts';
import type { ModelRateLimiter } from '#core/limits/model-rate-limiter.ts';
import type { News } from '#core/news.ts';
import type { SeatRoom } from '#core/channel/seats/seat-room.ts';
import type { Routing } from '#core/channel/routing.ts';
import { throughWorker } from '#core/outbound/outbound-worker.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Config } from '../config.ts';
import type { Identify } from '../control/people/identity.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { readUpstreamError } from '../dialects/openai/error.ts';
import { plainWires } from '../dialects/plain-wires.ts';
import type { Metrics } from '../http/site/metrics.ts';
import { createPlaygroundUser } from '../http/calls/playground-user.ts';
import { createSocketConnector } from '../outbound/connect-socket.ts';
import { lookUpStrangers } from '../outbound/lookup-once.ts';
import { addressGuard, checkOutboundUrl, createTargetCheck } from '../outbound/outbound-guard.ts';
import { createSender } from '../outbound/send.ts';
import { providerOf } from '../providers/registry.ts';
import { AnswerRoom } from '../relay/answer/answer-room.ts';
import { createRelay } from '../relay/create-relay.ts';
import type { RelayDeps, WrongKeys } from '../relay/ports.ts';
import { createTaskRelay } from '../relay/tasks/tasks.ts';
import type { Stores } from '../store/open-stores.ts';
import { createFarThreads } from './far-threads.ts';
import { systemClock } from '../system.ts';

/** Everything that connects to upstreams, under the same guard. */
export const composeOutbound = (
  { allowPrivateUpstreams: allowPrivate, allowPrivateWebhooks }: Config,
  options: () => OptionValues,
) => {
  const sender = createSender({ clock: systemClock, allowAddress: addressGuard({ allowPrivate }) });
  const hookTerms = { allowPrivate: allowPrivateWebhooks, whenPrivate: 'webhook_private' } as const;
  return {
    sender,
    /** For addresses given by users. Permission for private upstreams does not extend to these. */
    hooks: {
      sender: throughWorker(
        createSender({
          clock: systemClock,
          allowAddress: addressGuard(hookTerms),
          lookupAll: lookUpStrangers,
        }),
        options,
        createTargetCheck(hookTerms),
        sender,
      ),
      checkUrl: (url: string) => checkOutboundUrl(url, hookTerms),
    },
    /** For addresses given by upstreams. */
    strangers: throughWorker(
      createSender({
        clock: systemClock,
        allowAddress: addressGuard({ allowPrivate }),
        lookupAll: lookUpStrangers,
      }),
      options,
      createTargetCheck({ allowPrivate }),
      sender,
    ),
    checkUrl: (url: string) => checkOutboundUrl(url, { allowPrivate }),
    connectSocket: createSocketConnector({
      allowAddress: addressGuard({ allowPrivate }),
      readRefusal: readUpstreamError,
    }),
  };
};

interface RelayPlace {
  readonly stores: Stores;
  readonly outbound: ReturnType<typeof composeOutbound>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Its settlements also trigger the warnings of low balances. */
  readonly ledger: Ledger;
  readonly routing: () => Routing;
  readonly pricesDue: () => Promise<void>;
  readonly groupsReady: NonNullable<RelayDeps['groupsReady']>;
  readonly modelRates: ModelRateLimiter;
  readonly wrongKeys: WrongKeys;
  readonly keptResponses: RelayDeps['keptResponses'];
  readonly isHeardElsewhere: (holdId: string) => Promise<boolean>;
  readonly news: News;
  readonly seatRoom: SeatRoom;
  readonly metrics: Metrics;
  readonly channels: RelayDeps['channels'];
  readonly identify: Identify;
  /** How many relays share this machine. */
  readonly relays: number;
}

/** The relay of one thread, with its drawing and music tasks. */
export const composeRelay = ({ stores, outbound, identify, relays, metrics, ...place }: RelayPlace) => {
  const deps = { ...stores, ...outbound, ...place, metrics: metrics.relay };
  const relay = createRelay({
    ...deps,
    answers: AnswerRoom.shareOf(relays),
    farThreads: createFarThreads(relays),
    upstreamOf: providerOf,
    dialects: chatDialects,
    wires: plainWires,
    playgroundUser: createPlaygroundUser(identify),
  });
  const taskRelay = createTaskRelay({ ...deps, ...relay.parts, pictures: outbound.strangers });
  return { relay, taskRelay };
};
