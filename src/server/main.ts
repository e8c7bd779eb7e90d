// First of all, before anything loads `ws`.
import './websocket-masks.ts';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { closeAbandoned } from '#core/ledger/close-abandoned.ts';
import type { Log } from '#core/logging.ts';
import { runCommand } from './cli.ts';
import { type Config, configFromEnvironment, packageVersion, unknownInEnvironment } from './config.ts';
import { startProblem } from './start-problem.ts';
import { type DemoAccounts, seedDemo } from './demo/demo-seed.ts';
import { createStory } from './demo/demo-story.ts';
import type { DemoPayments } from './demo/demo-wallet.ts';
import { setupLinkOf } from './control/site/setup.ts';
import { type Site, statusOf } from './control/site/site.ts';
import { composeApi } from './compose/compose-api.ts';
import { composeControl, type Parts } from './compose/compose-control.ts';
import { composeDemo } from './compose/compose-demo.ts';
import { createApiListener } from './http/api-listener.ts';
import { createConsoleFiles } from './http/site/console-files.ts';
import { openNews } from './compose/open-news.ts';
import { createFurtherRelays } from './compose/further-relays.ts';
import { createFrontDoor } from './http/door/front-door.ts';
import { siteRoutes } from './http/site/site-routes.ts';
import { channelJobs } from './jobs/channel-jobs.ts';
import { runEvery } from './jobs/every.ts';
import { nodeJobs } from './jobs/node-jobs.ts';
import { pollingJobs } from './jobs/polling-jobs.ts';
import { evidenceJobs } from './jobs/evidence-jobs.ts';
import { housekeeping } from './jobs/housekeeping.ts';
import { vaultJob } from './jobs/vault-jobs.ts';
import { restoreBackup } from './store/backup/restore-backup.ts';
import { backUpDatabase } from './store/backup/write-backup.ts';
import { auditDatabase } from './store/ledger/audit.ts';
import { joinNodes } from './store/database/join-nodes.ts';
import { type Database, existing, openDatabase } from './store/database/database.ts';
import { requireCurrent } from './store/database/migrate.ts';
import { databaseConfigOf, masterKeyConfigOf } from './store/open-stores.ts';
import { changeMasterKey } from './store/vault/change-master-key.ts';
import { verifyStatement } from './verify-statement.ts';
import { createJsonLog, createPrinter, systemClock as clock, systemRandom as random } from './system.ts';

/** An address that works in a browser on this machine. */
const browserUrl = (host: string, port: number): string => `http://${shownHost(host)}:${port}`;

const shownHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const projectRoot = join(import.meta.dirname, '../..');

const print = createPrinter(process.stdout, () => clock.now());

/** A running server. */
export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  readonly url: string;
  /** The one-time link that makes the super admin; undefined once there is one. */
  readonly setupLink: string | undefined;
  /** The server's parts, for the demo and for tests. */
  readonly parts: Parts;
  readonly log: Log;
  /** Refuses new calls, lets running ones finish, closes every hold, then the database. */
  stop(): Promise<void>;
}

const jsonLog = (): Log => createJsonLog(print, () => clock.now());

/** Warns once: limits count by address, and behind a proxy that is not configured all users share one. */
const warnOnce = (log: Log): (() => void) => {
  let isSaid = false;
  return () => {
    if (!isSaid)
      log.warn('X-Forwarded-For came from an address that is not in TRUSTED_PROXIES and is ignored');
    isSaid = true;
  };
};

type Nodes = Awaited<ReturnType<typeof joinNodes>>;

/** The recurring jobs. */
const jobsOf = (config: Config, parts: Parts, nodes: Nodes, log: Log) => {
  const { stores, routing, relay, quotaWarnings, registration } = parts;
  return [
    ...housekeeping({ ...stores, quotaWarnings, registration, clock, log }),
    stores.clockJob,
    vaultJob({ ...stores, clock, log }),
    ...nodeJobs({ ...stores, ...nodes, relay, silenceMs: config.nodeSilenceMs, clock, log }),
    ...pollingJobs({ ...parts, background: relay.background, taskPoller: parts.taskRelay.poller }),
    ...evidenceJobs(stores, { ...parts, random }, clock, log),
    ...channelJobs({ ...stores, ...parts, options: () => routing().options, clock }),
  ];
};

/** Opens the database, closes the holds that an earlier run left open, and serves. */
export const startServer = async (
  config: Config,
  overrides: { readonly log?: Log; readonly consoleFolder?: string } = {},
): Promise<RunningServer> => {
  const log = overrides.log ?? jsonLog();
  const unread = unknownInEnvironment();
  if (unread.length > 0)
    log.warn('unknown variables are set; docs/configuration.md lists the known ones', { unread });
  const parts = await composeControl(config, log);
  const startedAtMs = clock.now();
  const { stores, routing, relay, metrics, setup } = parts;
  const nodes = await joinNodes(stores.database, clock);
  // A node that is alone closes every open hold, even one with a time in the future, because only an ended run can have
  // left it. Beside other nodes it closes only expired ones.
  const createdBeforeMs = nodes.isAlone ? Number.MAX_SAFE_INTEGER : 0;
  await closeAbandoned(stores, { createdBeforeMs, expiredAtMs: startedAtMs }, startedAtMs);
  await nodes.admitOthers();
  const about: Site = { version: packageVersion(), startedAtMs, databaseType: stores.database.engine };
  const status = async () => statusOf(about, routing().options, await setup.isDone());
  const site = siteRoutes({
    metrics,
    metricsToken: config.metricsToken,
    api: createApiListener(await composeApi(config, parts, about, log), warnOnce(log)),
    console: createConsoleFiles(overrides.consoleFolder ?? join(projectRoot, 'dist/console'), status),
    published: parts.seals.published,
    ready: () => setup.isDone().then(() => stores.ledger.canWrite()),
  });
  const further = createFurtherRelays({ config, parts, list: nodes.relays, site, print, clock, random, log });
  const frontDoor = createFrontDoor({
    relay,
    tasks: parts.taskRelay,
    site,
    clock,
    random,
    log,
    trustedProxies: config.trustedProxies,
    connectionsPerAddress: config.connectionsPerAddress,
    ...further.doorDeps,
  });
  const news = await relay.start().then(() => openNews(parts));
  parts.seatRoom.join();
  const endJobs = runEvery(jobsOf(config, parts, nodes, log), log);
  const port = await frontDoor.listen(config.port, config.host);
  await further.start(port);
  const url = browserUrl(config.host, port);
  const secret = await setup.linkSecret();
  return {
    url,
    setupLink: secret === undefined ? undefined : setupLinkOf(url, secret),
    parts,
    log,
    async stop() {
      // A running test of a channel gets the whole time of the shutdown to finish, so it is stopped first.
      void parts.rounds.end();
      await Promise.all([frontDoor.stop(config.shutdownMs), further.stop(config.shutdownMs)]);
      await parts.seals.end();
      await endJobs();
      await parts.quotaWarnings.end();
      await parts.rounds.end();
      await parts.seen.flush();
      await news.close();
      await parts.sender.close();
      await parts.closeCounters();
      metrics.close();
      await nodes.leave();
      await stores.close();
    },
  };
};

/** Fills an empty server with the demo's accounts, channels, traffic and wallet. */
export const fillWithDemo = (
  { parts, url }: RunningServer,
  upstreamUrl: string,
  gateway?: Omit<DemoPayments, 'siteUrl'>,
): Promise<DemoAccounts> => {
  const deps = composeDemo(parts, createStory(clock), random);
  return seedDemo(deps, upstreamUrl, gateway && { ...gateway, siteUrl: url });
};

/**
 * Signals closer together than this are one request: a terminal and a process that forwards signals may both send it.
 */
const SAME_SIGNAL_MS = 500;

/**
 * Serves until SIGTERM or SIGINT, then lets running calls finish; a second signal ends the process at once, as the loss of
 * the database does.
 */
export const serveUntilSignal = (server: RunningServer): void => {
  let askedAtMs: number | undefined;
  const stop = (): void => {
    if (askedAtMs !== undefined) {
      if (clock.monotonic() - askedAtMs > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    askedAtMs = clock.monotonic();
    print('Stopping: running calls may finish.\n');
    void server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        // Else it would wait for a second signal. The next start closes what is still open.
        server.log.error('the server could not stop in order', { error });
        process.exit(1);
      },
    );
  };
  // One unhandled rejection must not end everybody's calls.
  process.on('unhandledRejection', (error) =>
    server.log.error('a rejected promise was not handled', { error }),
  );
  // Node prints the trace too, with places in the bundle.
  process.on('uncaughtExceptionMonitor', (error) => server.log.error('the server fails', { error }));
  // Node's own warnings go there, and nobody may be listening.
  process.stderr.on('error', () => {});
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Else every call would be refused for good, by a process that looks alive. The next start closes what is open.
  void server.parts.stores.database.lost.then((cause) => {
    server.log.error('the database is lost to this process, which ends', { error: cause });
    // An ordinary exit waits for its threads, and so for one that hangs.
    process.kill(process.pid, 'SIGKILL');
  });
};

/** Runs a command that does not serve with the control plane, and closes the database afterwards. */
const withParts = async <Result>(config: Config, use: (parts: Parts) => Promise<Result>) => {
  // In a wrong folder it would make another database, and find nobody in it.
  existing(databaseConfigOf(config));
  const parts = await composeControl(config, jsonLog());
  try {
    return await use(parts);
  } finally {
    await parts.stores.close();
  }
};

/** Runs a command that needs the database alone, and closes it afterwards. */
const withDatabase = async <Result>(config: Config, use: (database: Database) => Promise<Result>) => {
  const database = await openDatabase(existing(databaseConfigOf(config)), requireCurrent);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
};

const commandsOf = (config: Config) => ({
  version: packageVersion(),
  async serve() {
    const server = await startServer(config);
    serveUntilSignal(server);
    print(`Tollgate serves on ${server.url}\n`);
    if (server.setupLink !== undefined) print(`Make the super admin here, once: ${server.setupLink}\n`);
  },
  // The audit reads no secrets, so it needs no master key.
  audit: () => withDatabase(config, (database) => auditDatabase(database, clock.now())),
  async setupLink() {
    const secret = await withParts(config, ({ setup }) => setup.renewLinkSecret());
    return secret === undefined ? undefined : setupLinkOf(browserUrl(config.host, config.port), secret);
  },
  rescue: () => withParts(config, ({ rescue }) => rescue()),
  secondPersonOff: () => withParts(config, ({ prices }) => prices.endApproval()),
  changeMasterKey: () =>
    withDatabase(config, (database) =>
      changeMasterKey(database, masterKeyConfigOf(config), config.newMasterKey, clock.now()),
    ),
  backup: (file: string) => backUpDatabase(databaseConfigOf(config), file, clock.now()),
  restore: (file: string) => restoreBackup(databaseConfigOf(config), file),
  verify: verifyStatement,
});

const run = async (args: readonly string[]): Promise<number | undefined> => {
  try {
    return await runCommand(args, commandsOf(configFromEnvironment()), print);
  } catch (error) {
    const command = args[0] === 'serve' ? undefined : args[0];
    process.stderr.write(`${startProblem(error, command)}\n`);
    // An audit that could not run has found nothing.
    return command === undefined ? 1 : 2;
  }
};

/**
 * Bodies are stored outside V8's heap. Without this flag V8 starts a full mark of the heap after every 64 MB of them,
 * which alone cost 0.4 ms for a call of 400 KB.
 */
const WEIGHS_BODIES = '--external-memory-accounted-in-global-limit';

/**
 * Runs one command of the command line and ends the process with its exit code; a server goes on.
 * @public called by bin/tollgate.cjs
 */
export const tollgate = async (args: readonly string[]): Promise<void> => {
  setFlagsFromString(WEIGHS_BODIES);
  const code = await run(args);
  if (code !== undefined) process.exit(code);
};

if (import.meta.main) await tollgate(process.argv.slice(2));
