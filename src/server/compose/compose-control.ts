import type { Log } from '#core/logging.ts';
import type { Config } from '../config.ts';
import { createChannelCare } from '../control/channel-care.ts';
import { createChannels } from '../control/channels.ts';
import { createIdentify } from '../control/identity.ts';
import { createOptions } from '../control/options.ts';
import { createPasswords } from '../control/passwords.ts';
import { watchedLedger } from '../control/quota-warnings.ts';
import { createSessions } from '../control/sessions.ts';
import { createSetup } from '../control/setup.ts';
import { createTokens } from '../control/tokens.ts';
import { createUpstreams } from '../control/upstreams.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import { plainWires } from '../dialects/plain-wires.ts';
import { createMetrics } from '../http/metrics.ts';
import { createPlaygroundUser } from '../http/playground-user.ts';
import { WindowCounter } from '../limits/window-counter.ts';
import { createSmtpMailer } from '../mail/smtp-mailer.ts';
import { balanceOf } from '../providers/balances.ts';
import { providerOf } from '../providers/registry.ts';
import { createRelay } from '../relay/create-relay.ts';
import { createTaskRelay } from '../relay/tasks/tasks.ts';
import { openStores } from '../store/open-stores.ts';
import { systemClock as clock, systemRandom as random } from '../system.ts';
import { createFarThreads } from './far-threads.ts';
import { composeCounters } from './compose-counters.ts';
import { composeWallet } from './compose-wallet.ts';
import { composeNotices } from './compose-notices.ts';
import { composeOutbound } from './compose-outbound.ts';
import { composePeople } from './compose-people.ts';
import { keepRouting } from './keep-routing.ts';

/** What a server is made of. */
export type Parts = Awaited<ReturnType<typeof composeControl>>;

/** The control plane, and the relay it tells of changes. */
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
  const upstreams = createUpstreams({ ...common, upstreamOf: providerOf, sender });
  const mail = createSmtpMailer({ options, openSocket: openMailSocket });
  const { notify, quotaWarnings } = composeNotices({ ...common, options, mail, sender: strangers });
  const care = createChannelCare({ ...common, routing, sender, upstreams, balanceOf, notify });
  const counters = composeCounters(config, log);
  const ledger = watchedLedger(stores.ledger, quotaWarnings.watch);
  const relay = createRelay({
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
    taskRelay: createTaskRelay({ ...tasking, authenticate: relay.authenticate }),
    ...composeWallet({ ...common, guesses: people.guesses }, options, sessions, mail),
    ...people,
    mail,
  };
};
