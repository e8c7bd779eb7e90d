import type { TestChannel } from '#core/channel/channel-test.ts';
import type { Log } from '#core/logging.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Mailer } from '#core/mail.ts';
import { throughWorker } from '#core/outbound-worker.ts';
import type { Config } from '../config.ts';
import { createChannelCare } from '../control/channels/channel-care.ts';
import { createChannels } from '../control/channels/channels.ts';
import { createIdentify } from '../control/people/identity.ts';
import { createOptions } from '../control/site/options.ts';
import { createPasswords } from '../control/people/passwords.ts';
import {
  watchedLedger,
  createQuotaWarnings,
  type QuotaWarningDeps,
} from '../control/wallet/quota-warnings.ts';
import { createSessions } from '../control/people/sessions.ts';
import { createSetup } from '../control/site/setup.ts';
import { createTokens } from '../control/people/tokens.ts';
import { createUpstreams } from '../control/channels/upstreams.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { plainWires } from '../dialects/plain-wires.ts';
import { createMetrics } from '../http/metrics.ts';
import { createPlaygroundUser } from '../http/playground-user.ts';
import { WindowCounter } from '../limits/window-counter.ts';
import { createSmtpMailer } from '../mail/smtp-mailer.ts';
import { providerOf } from '../providers/registry.ts';
import { createRelay, type WholeRelay } from '../relay/create-relay.ts';
import { createTaskRelay } from '../relay/tasks/tasks.ts';
import { openStores, type Stores } from '../store/open-stores.ts';
import { systemClock as clock, systemRandom as random } from '../system.ts';
import { createFarThreads } from './far-threads.ts';
import { composeCounters } from './compose-counters.ts';
import { composeWallet } from './compose-wallet.ts';
import { composePeople } from './compose-people.ts';
import { createNotifyUser, type NotifyDeps } from '../control/people/notify-user.ts';
import { readUpstreamError } from '../dialects/openai/error.ts';
import { createSocketConnector } from '../outbound/connect-socket.ts';
import { createOpenSocket } from '../outbound/open-socket.ts';
import { addressGuard, checkOutboundUrl, createTargetCheck } from '../outbound/outbound-guard.ts';
import { createSender } from '../outbound/send.ts';
import { loadPriceCatalogue } from '../control/wallet/price-catalogue.ts';
import { createRoutingKeeper } from '../control/channels/routing-keeper.ts';

/** The routing snapshot, and the announcement to other nodes that it must be rebuilt. */
const keepRouting = async (stores: Stores, log: Log) => {
  const catalogue = await loadPriceCatalogue();
  const keeper = await createRoutingKeeper({ ...stores, catalogue, log });
  // On SQLite there is no other node, and this one has refreshed before it announces.
  if (stores.database.engine === 'postgres') {
    stores.feed.watch((kind) => {
      if (kind === 'channels' || kind === 'options')
        void keeper.refresh().catch((error) => log.error('routing', { error }));
    });
  }
  const refreshRouting = async (): Promise<void> => {
    await keeper.refresh();
    await stores.feed.announce('channels');
  };
  return { routing: keeper.current, refreshRouting };
};

/** Everything that connects to the outside, under the same guard. */
const composeOutbound = (
  { allowPrivateUpstreams: allowPrivate, allowPrivateMail }: Config,
  options: () => OptionValues,
) => {
  const sender = createSender({ allowAddress: addressGuard({ allowPrivate }) });
  return {
    sender,
    /** For addresses given by upstreams and users. */
    strangers: throughWorker(sender, options, createTargetCheck({ allowPrivate })),
    checkUrl: (url: string) => checkOutboundUrl(url, { allowPrivate }),
    /** A mail relay on the same network is no reason to allow channels there. */
    openMailSocket: createOpenSocket({ allowAddress: addressGuard({ allowPrivate: allowPrivateMail }) }),
    connectSocket: createSocketConnector({
      allowAddress: addressGuard({ allowPrivate }),
      readRefusal: readUpstreamError,
    }),
  };
};

type NoticeDeps = Pick<NotifyDeps, 'sender' | 'checkUrl'> &
  Omit<QuotaWarningDeps, 'notify' | 'options'> & {
    readonly options: () => OptionValues;
    readonly mail: Mailer;
  };

/** User notifications, and the warnings of low balances. */
const composeNotices = ({ options, mail, ...deps }: NoticeDeps) => {
  const notify = createNotifyUser({
    ...deps,
    mailer: () => (mail.isReady() ? mail : undefined),
    siteName: () => options().SystemName,
    language: () => options().DefaultLanguage,
  });
  return { notify, quotaWarnings: createQuotaWarnings({ ...deps, options, notify }) };
};

/** The parts of a server. */
export type Parts = Awaited<ReturnType<typeof composeControl>>;

/** The control plane, and the relay that it notifies of changes. */
export const composeControl = async (config: Config, log: Log) => {
  const stores = await openStores(config);
  const { routing, refreshRouting } = await keepRouting(stores, log);
  const options = () => routing().options;
  const passwords = createPasswords();
  const sessions = createSessions(stores.sessions, clock);
  const identify = createIdentify(stores.users, sessions);
  const metrics = createMetrics();
  const { strangers, openMailSocket, ...outbound } = composeOutbound(config, options);
  const { sender } = outbound;
  const common = { ...stores, ...outbound, clock, random, log, passwords, refreshRouting };
  const testChannel: TestChannel = (call) => relay.testChannel(call);
  const upstreams = createUpstreams({ ...common, upstreamOf: providerOf, sender, testChannel });
  const mail = createSmtpMailer({ options, openSocket: openMailSocket });
  const { notify, quotaWarnings } = composeNotices({ ...common, options, mail, sender: strangers });
  const care = createChannelCare({ ...common, routing, upstreamOf: providerOf, upstreams, notify });
  const counters = await composeCounters(config, log);
  const ledger = watchedLedger(stores.ledger, quotaWarnings.watch);
  const relay: WholeRelay = createRelay({
    farThreads: createFarThreads(),
    ...common,
    ledger,
    routing,
    upstreamOf: providerOf,
    modelRates: counters.modelRates,
    wrongKeys: new WindowCounter(),
    dialects: chatDialects,
    wires: plainWires,
    sender,
    metrics: metrics.relay,
    channels: care.forRelay,
    playgroundUser: createPlaygroundUser(identify),
  });
  const people = composePeople({ ...common, config, stores, sessions, mail, relay, options });
  const tasking = {
    ...common,
    ...counters,
    ledger,
    routing,
    sender,
    pictures: strangers,
    channels: care.forRelay,
    metrics: metrics.relay,
  };
  return {
    stores,
    routing,
    refreshRouting,
    passwords,
    sessions,
    identify,
    metrics,
    sender,
    relay,
    ...counters,
    quotaWarnings,
    setup: createSetup(common),
    channels: createChannels(common),
    tokens: createTokens({ ...common, options, relay }),
    options: createOptions(common),
    upstreams,
    ...care,
    taskRelay: createTaskRelay({ ...tasking, authenticate: relay.authenticate, health: relay.health }),
    ...composeWallet({ ...common, guesses: people.guesses }, options, sessions, mail),
    ...people,
    mail,
  };
};
