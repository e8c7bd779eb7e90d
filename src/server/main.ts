import { join } from 'node:path';
import type { Log } from '#core/logging.ts';
import { runCommand } from './cli.ts';
import { type Config, configFromEnvironment, packageVersion } from './config.ts';
import { startProblem } from './start-problem.ts';
import { browserUrl, setupLinkOf } from './addresses.ts';
import { createAccounts } from './control/accounts.ts';
import { createAutoDisable } from './control/auto-disable.ts';
import { createChannels } from './control/channels.ts';
import { type DemoAccounts, seedDemo } from './control/demo-seed.ts';
import { createIdentify } from './control/identity.ts';
import { readKnownModels } from './control/known-models.ts';
import { createOptions } from './control/options.ts';
import { createPasswords } from './control/passwords.ts';
import { loadPriceCatalogue } from './control/price-catalogue.ts';
import { register } from './control/registration.ts';
import { createRoutingKeeper } from './control/routing-keeper.ts';
import { createSessions } from './control/sessions.ts';
import { createSetup } from './control/setup.ts';
import { type Site, statusOf } from './control/site.ts';
import { createTokens } from './control/tokens.ts';
import { createUpstreams } from './control/upstreams.ts';
import { openaiChat } from './dialects/openai-chat/openai-chat.ts';
import { openaiCompletions } from './dialects/openai-completions/openai-completions.ts';
import { openaiEmbeddings } from './dialects/openai-embeddings/openai-embeddings.ts';
import { catalogueHandlers } from './http/api/catalogue.ts';
import { channelHandlers } from './http/api/channels.ts';
import { logHandlers } from './http/api/logs.ts';
import { optionHandlers } from './http/api/options.ts';
import { sessionHandlers } from './http/api/session.ts';
import { setupHandlers } from './http/api/setup.ts';
import { tokenHandlers } from './http/api/tokens.ts';
import { userHandlers } from './http/api/users.ts';
import { createApi } from './http/api.ts';
import { createApiListener } from './http/api-listener.ts';
import { createConsoleFiles } from './http/console-files.ts';
import { createFrontDoor } from './http/front-door.ts';
import { createMetrics } from './http/metrics.ts';
import { createPlaygroundUser } from './http/playground-user.ts';
import { runEvery } from './jobs/every.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { createJsonLog } from './json-log.ts';
import { createApiLimits, createLoginLimit } from './limits/api-limits.ts';
import { createMemoryModelRateLimiter } from './limits/model-rate.ts';
import { WindowCounter } from './limits/window-counter.ts';
import { addressGuard, checkOutboundUrl } from './providers/outbound-guard.ts';
import { providerOf } from './providers/registry.ts';
import { createSender } from './providers/send.ts';
import { createRelay } from './relay/relay.ts';
import { auditDatabase } from './store/audit.ts';
import { joinNodes } from './store/join-nodes.ts';
import { openStores, type Stores } from './store/open-stores.ts';
import { systemClock as clock, systemRandom as random } from './system.ts';

const projectRoot = join(import.meta.dirname, '../..');

const print = (text: string): void => void process.stdout.write(text);

/** A server that serves. */
export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  /** The one-time link that makes the super admin; undefined once there is one. */
  readonly setupLink: string | undefined;
  /** What the server is made of, for the demo and for tests that look behind it. */
  readonly parts: Parts;
  readonly log: Log;
  /** Refuses new calls, lets running ones finish, closes every hold, then the database. */
  stop(): Promise<void>;
}

type Parts = Awaited<ReturnType<typeof composeControl>>;

/** The snapshot calls are routed by, and how everybody hears that it must be read again. */
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

/** The control plane, and the relay it tells of changes. */
const composeControl = async (config: Config, log: Log) => {
  const stores = await openStores(config);
  const { routing, refreshRouting } = await keepRouting(stores, log);
  const options = () => routing().options;
  const passwords = createPasswords();
  const sessions = createSessions(stores.sessions, clock);
  const identify = createIdentify(stores.users, sessions);
  const metrics = createMetrics();
  const allowPrivate = config.allowPrivateUpstreams;
  const sender = createSender({ allowAddress: addressGuard({ allowPrivate }) });
  const checkUrl = (url: string) => checkOutboundUrl(url, { allowPrivate });
  const common = { ...stores, clock, random, log, passwords, refreshRouting, checkUrl };
  const relay = createRelay({
    ...common,
    routing,
    upstreamOf: providerOf,
    modelRates: createMemoryModelRateLimiter(),
    wrongKeys: new WindowCounter(),
    wires: { chat: openaiChat, completions: openaiCompletions, embeddings: openaiEmbeddings },
    sender,
    meter: metrics.meter,
    channels: { autoDisable: createAutoDisable(common) },
    playgroundUser: createPlaygroundUser(identify),
  });
  const loginLimit = createLoginLimit(config.loginLimitPerAccount);
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
    setup: createSetup(common),
    accounts: createAccounts({ ...common, sessions, options, loginLimit }),
    register: (registration: Parameters<typeof register>[1]) =>
      register({ ...common, options }, registration),
    channels: createChannels(common),
    tokens: createTokens({ ...common, options, relay }),
    options: createOptions(common),
    upstreams: createUpstreams({ ...common, upstreamOf: providerOf, sender }),
  };
};

const composeApi = async (config: Config, parts: Parts, site: Site, log: Log) => {
  const knownModels = await readKnownModels();
  const { stores, routing } = parts;
  const deps = {
    ...parts,
    logs: stores.logs,
    users: stores.users,
    clock,
    site,
    knownModels,
  };
  return createApi(
    {
      setup: setupHandlers(deps),
      session: sessionHandlers(deps),
      users: userHandlers(deps),
      catalogue: catalogueHandlers(deps),
      options: optionHandlers(deps),
      channels: channelHandlers(deps),
      tokens: tokenHandlers(deps),
      logs: logHandlers(deps),
    },
    {
      identify: parts.identify,
      limits: createApiLimits(config),
      isDemoSite: () => routing().options.DemoSiteEnabled,
      log,
    },
    site.version,
  );
};

/** Limits count by address: behind a proxy that is not named, everybody would share one. */
const warnOnce = (log: Log): (() => void) => {
  let isSaid = false;
  return () => {
    if (!isSaid)
      log.warn('X-Forwarded-For came from an address that is not in TRUSTED_PROXIES and is ignored');
    isSaid = true;
  };
};

/** Opens the database, takes up what an earlier run left, and serves. */
export const startServer = async (
  config: Config,
  overrides: { readonly log?: Log; readonly consoleFolder?: string } = {},
): Promise<RunningServer> => {
  const log = overrides.log ?? createJsonLog(print, () => clock.now());
  const startedAtMs = clock.now();
  const parts = await composeControl(config, log);
  const { stores, routing, relay, metrics, setup } = parts;
  const nodes = await joinNodes(stores.database);
  // Alone on its database, whatever is still held is a dead run's; beside other nodes only what is past its time.
  await stores.ledger.resolveAbandoned({
    createdBeforeMs: nodes.isAlone ? startedAtMs : 0,
    expiredAtMs: startedAtMs,
  });
  await nodes.admitOthers();
  const site: Site = { version: packageVersion(), startedAtMs, databaseType: stores.database.engine };
  const status = async () => statusOf(site, routing().options, await setup.isDone());
  const frontDoor = createFrontDoor({
    relay,
    metrics,
    api: createApiListener(await composeApi(config, parts, site, log), warnOnce(log)),
    console: createConsoleFiles(overrides.consoleFolder ?? join(projectRoot, 'dist/console'), status),
    ready: () => setup.isDone().then(() => true),
    clock,
    random,
    log,
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
  });
  const endJobs = runEvery(housekeeping({ ...stores, clock, log }), log);
  const port = await frontDoor.listen(config.port, config.host);
  const url = browserUrl(config.host, port);
  const secret = await setup.linkSecret();
  return {
    url,
    setupLink: secret === undefined ? undefined : setupLinkOf(url, secret),
    parts,
    log,
    async stop() {
      await frontDoor.stop(config.shutdownMs);
      await endJobs();
      await parts.sender.close();
      metrics.close();
      await nodes.leave();
      await stores.close();
    },
  };
};

/** Fills an empty server with the demo's accounts, channels and traffic. */
export const fillWithDemo = ({ parts }: RunningServer, upstreamUrl: string): Promise<DemoAccounts> =>
  seedDemo({ ...parts.stores, ...parts, options: parts.stores.options, clock, random }, upstreamUrl);

/** Serves until SIGTERM or SIGINT, then lets running calls finish; a second signal ends at once. */
export const serveUntilSignal = (server: RunningServer): void => {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    print('Stopping: running calls may finish.\n');
    void server.stop().then(() => process.exit(0));
  };
  // One forgotten promise must not end everybody's calls.
  process.on('unhandledRejection', (error) => server.log.error('a promise was rejected unheard', { error }));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
};

const commandsOf = (config: Config) => ({
  async serve() {
    const server = await startServer(config);
    serveUntilSignal(server);
    print(`Tollgate serves on ${server.url}\n`);
    if (server.setupLink !== undefined) print(`Make the super admin here, once: ${server.setupLink}\n`);
  },
  async audit() {
    const { database, close } = await openStores(config);
    try {
      return await auditDatabase(database, clock.now());
    } finally {
      await close();
    }
  },
  async setupLink() {
    const parts = await composeControl(
      config,
      createJsonLog(print, () => clock.now()),
    );
    const secret = await parts.setup.renewLinkSecret();
    await parts.stores.close();
    return secret === undefined ? undefined : setupLinkOf(browserUrl(config.host, config.port), secret);
  },
});

const run = async (): Promise<number | undefined> => {
  try {
    return await runCommand(process.argv.slice(2), commandsOf(configFromEnvironment()), print);
  } catch (error) {
    process.stderr.write(`${startProblem(error)}\n`);
    return 1;
  }
};

if (import.meta.main) {
  const code = await run();
  if (code !== undefined) process.exit(code);
}
