import type { TestChannel } from '#core/channel/channel-test.ts';
import type { Log } from '#core/logging.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Mailer } from '#core/mail.ts';
import type { Config } from '../config.ts';
import { createChannelCare } from '../control/channels/channel-care.ts';
import { createChannels } from '../control/channels/channels.ts';
import { createIdentify } from '../control/people/identity.ts';
import { createPasswords } from '../control/people/sign-in/passwords.ts';
import {
  watchedLedger,
  createQuotaWarnings,
  type QuotaWarningDeps,
} from '../control/wallet/quota-warnings.ts';
import { createSessions } from '../control/people/sign-in/sessions.ts';
import { createSetup } from '../control/site/setup.ts';
import { createTokens } from '../control/people/tokens.ts';
import { createUpstreams } from '../control/channels/checks/upstreams.ts';
import { createMetrics } from '../http/site/metrics.ts';
import { createSmtpMailer } from '../mail/smtp-mailer.ts';
import { providerOf } from '../providers/registry.ts';
import type { WholeRelay } from '../relay/create-relay.ts';
import { WHOLE } from '../relay/route/health/health-node.ts';
import { patientHouseCosts } from '../store/logs/sums/patient-house-costs.ts';
import { databaseConfigOf, openStores, type Stores } from '../store/open-stores.ts';
import { systemClock as clock, systemRandom as random } from '../system.ts';
import { composeCounters } from './compose-counters.ts';
import { composeOutbound, composeRelay } from './compose-relay.ts';
import { NewsDesk } from './news-desk.ts';
import { OtherRelays } from './other-relays.ts';
import { composeWallet } from './compose-wallet.ts';
import { createLogFiles } from './log-file-threads.ts';
import { composePrices } from './compose-prices.ts';
import { composePeople } from './compose-people.ts';
import { createNotifyUser, type NotifyDeps, type NotifyUser } from '../control/people/notify-user.ts';
import { createOpenSocket } from '../outbound/open-socket.ts';
import { addressGuard } from '../outbound/outbound-guard.ts';
import { loadPriceCatalogue } from '../control/wallet/price-catalogue.ts';
import { createGroupsReady } from '../control/channels/groups-ready.ts';
import { createDueWait } from '../control/wallet/due-wait.ts';
import { publishDue } from '../control/wallet/book/due-prices.ts';
import { followClock } from './follow-clock.ts';
import { createRoutingKeeper } from '../control/channels/routing-keeper.ts';
import { shareRouting } from './share-routing.ts';

/**
 * The routing snapshot, and the announcement to other relays and nodes that it must be rebuilt.
 * @param notify is called later only: it is made from what this makes
 */
const keepRouting = async (stores: Stores, others: OtherRelays, notify: NotifyUser, log: Log) => {
  const catalogue = await loadPriceCatalogue();
  const keeper = await createRoutingKeeper({ ...stores, catalogue, clock, log });
  const refreshRouting = shareRouting({
    feed: stores.feed,
    refresh: keeper.refresh,
    refreshOthers: () => others.refresh(),
    log,
  });
  const routing = keeper.current;
  const takeUp = async (): Promise<void> => {
    await publishDue({ ...stores, refreshRouting, notify, clock, log });
    await keeper.refresh();
  };
  return {
    routing,
    refreshRouting,
    pricesDue: createDueWait({ routing, takeUp, clock, log }),
    groupsReady: createGroupsReady({ routing, refresh: keeper.refresh, clock, log }),
  };
};

type NoticeDeps = Pick<NotifyDeps, 'sender' | 'checkUrl' | 'vault'> &
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

/** The stores, whose clock this process goes by, and which lose no cost. */
const openShared = async (config: Config, log: Log) => {
  const stores = await openStores(config, log);
  const houseCosts = patientHouseCosts(stores.houseCosts, log);
  return { ...stores, houseCosts, clockJob: await followClock(stores.database, clock, log) };
};

/** The parts of a server. */
export type Parts = Awaited<ReturnType<typeof composeControl>>;

/** What the control plane asks of the relay, which is made after it. */
const laterRelay = (relay: () => WholeRelay) => ({
  testChannel: ((call) => relay().testChannel(call)) satisfies TestChannel,
  restChannel: (id: number, forMs: number): void =>
    relay().parts.health.usedUp({ id, keyId: 0 }, WHOLE, forMs, clock.monotonic()),
});

/** The control plane, and the relay that it notifies of changes. */
export const composeControl = async (config: Config, log: Log) => {
  const stores = await openShared(config, log);
  const others = new OtherRelays();
  const news = new NewsDesk(log);
  const keeper = await keepRouting(stores, others, (...of) => notify(...of), log);
  const { routing, refreshRouting } = keeper;
  const options = () => routing().options;
  const passwords = createPasswords();
  const sessions = createSessions(stores.sessions, clock);
  const identify = createIdentify(stores.users, sessions);
  const metrics = createMetrics(() => others.counted(), config.metricsToken !== undefined);
  const outbound = composeOutbound(config, options);
  const { sender, strangers, hooks, checkUrl } = outbound;
  const common = { ...stores, sender, checkUrl, clock, random, log, passwords, refreshRouting };
  const later = laterRelay(() => relay);
  const upstreams = createUpstreams({ ...common, ...later, routing, upstreamOf: providerOf });
  const openSocket = createOpenSocket({
    // A mail relay on the same network is no reason to allow channels there.
    allowAddress: addressGuard({ allowPrivate: config.allowPrivateMail }),
  });
  const mail = createSmtpMailer({ options, openSocket });
  const { notify, quotaWarnings } = composeNotices({ ...common, options, mail, ...hooks });
  const care = createChannelCare({ ...common, ...later, routing, upstreamOf: providerOf, upstreams, notify });
  const counters = await composeCounters(config, { ...stores, news, log });
  const { relay: ownRelay, taskRelay } = composeRelay({
    stores,
    outbound,
    clock,
    random,
    log,
    ledger: watchedLedger(stores.ledger, quotaWarnings.watch),
    ...keeper,
    ...counters,
    wrongKeys: others.wrongKeys,
    keptResponses: others.knowingAll(stores.keptResponses),
    isHeardElsewhere: (holdId) => others.isHeard(holdId),
    news,
    metrics,
    channels: care.forRelay,
    identify,
    relays: config.relays,
  });
  const relay: WholeRelay = others.together(ownRelay, news);
  const people = composePeople({ ...common, config, stores, sessions, mail, relay, options, hooks });
  return {
    stores,
    others,
    news,
    ...keeper,
    passwords,
    sessions,
    identify,
    metrics,
    sender,
    relay,
    ...counters,
    quotaWarnings,
    setup: createSetup({ ...common, creditOwed: () => people.registration.creditOwed() }),
    channels: createChannels({ ...common, routing }),
    tokens: createTokens({ ...common, routing, relay }),
    rowFiles: createLogFiles(databaseConfigOf(config), stores.logs),
    ...composePrices({ ...common, notify, routing, strangers }, databaseConfigOf(config)),
    upstreams,
    ...care,
    taskRelay,
    ...composeWallet({ ...common, ...counters, guesses: people.guesses }, options, sessions, mail),
    ...people,
    mail,
  };
};
