// First of all, before anything loads `ws`.
import '../websocket-masks.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { silentNews } from '#core/news.ts';
import { AppError } from '#core/error.ts';
import { createDueWait } from '../control/wallet/due-wait.ts';
import { createGroupsReady } from '../control/channels/groups-ready.ts';
import { createRoutingKeeper } from '../control/channels/routing-keeper.ts';
import { Sightings } from '../control/channels/sightings.ts';
import { createIdentify } from '../control/people/identity.ts';
import { createSessions } from '../control/people/sign-in/sessions.ts';
import { loadPriceCatalogue } from '../control/wallet/price-catalogue.ts';
import { watchedLedger } from '../control/wallet/quota-warnings.ts';
import { createFrontDoor, doorShare } from '../http/door/front-door.ts';
import { createMetrics } from '../http/site/metrics.ts';
import { RelayBodies } from '../http/bodies/relay-body.ts';
import { sharedAddressCounts } from '../http/door/shared-address-counts.ts';
import { forwardTo } from '../http/site/site-door.ts';
import { runEvery } from '../jobs/every.ts';
import { followVault } from '../jobs/vault-jobs.ts';
import { createAskedSeatRoom } from '../limits/asked-seat-room.ts';
import { CountedSeatRoom } from '../limits/counted-seat-room.ts';
import { createAskedModelRateLimiter } from '../limits/asked-model-rate.ts';
import { createMemoryModelRateLimiter } from '../limits/model-rate.ts';
import { WindowCounter } from '../limits/window-counter.ts';
import { patientHouseCosts } from '../store/logs/sums/patient-house-costs.ts';
import { openSeatStores } from '../store/open-stores.ts';
import { createJsonLog, systemClock as clock, systemRandom as random } from '../system.ts';
import { composeOutbound, composeRelay } from './compose-relay.ts';
import { followClock } from './follow-clock.ts';
import { Line } from './line.ts';
import { NewsDesk } from './news-desk.ts';
import { knowingAll } from './other-relays.ts';
import type { MainOffers, RelayOffers, RelayStart } from './relay-offers.ts';

/** The thread of a further relay: serves calls, and nothing else (docs/decisions/0028). */

const SIGHTINGS_EVERY_MS = 10_000;
const BALANCES_EVERY_MS = 1000;

const port = parentPort;
if (port === null) throw new Error('relay-worker.ts runs as a worker thread');

const { config, port: servedPort, seat, addresses, column, siteDoor } = workerData as RelayStart;
const wrongKeys = new WindowCounter();

const offers: RelayOffers = {
  refresh: async () => (await serving).refresh(),
  forgetToken: (tokenId) => void serving.then(({ relay }) => relay.invalidateToken(tokenId)),
  forgetUser: (userId) => void serving.then(({ relay }) => relay.invalidateUser(userId)),
  wrongKey: (ip, windowMs, nowMs) => wrongKeys.add(ip, windowMs, nowMs),
  endCalls: (why) => void serving.then(({ relay }) => relay.endCalls(new AppError('unavailable', why))),
  counted: async () => (await serving).metrics.counted(),
  pulses: async () => (await serving).relay.parts.pulses.report(clock.now()),
  writeKept: async () => (await serving).relay.writeKept(),
  news: (items) => mainThread.deliver(items),
  isHeard: async (holdId) => (await serving).relay.background.isHeard(holdId),
  stop: async (graceMs) => (await serving).stop(graceMs),
};
const line = new Line<MainOffers>(port, offers);
const log = createJsonLog(
  (text) => line.tell('print', [text]),
  () => clock.now(),
);
const news = new NewsDesk(log);
const mainThread = news.join((items) => line.tell('news', [items]));
process.on('unhandledRejection', (error) => log.error('a rejected promise was not handled', { error }));

/** Collects balances after charges and sends the latest of each user once a second. */
const collectBalances = () => {
  let balances = new Map<number, number>();
  return {
    watch: (userId: number, quotaUnits: number): void => void balances.set(userId, quotaUnits),
    async tell(): Promise<void> {
      if (balances.size === 0) return;
      line.tell('balances', [balances]);
      balances = new Map();
    },
  };
};

const modelRates = createAskedModelRateLimiter(
  {
    begin: (...counted) => line.ask('begin', counted),
    giveBack: (...counted) => line.tell('giveBack', counted),
    succeeded: (...counted) => line.tell('succeeded', counted),
  },
  createMemoryModelRateLimiter(),
);

const seatRoom = createAskedSeatRoom(
  {
    take: (...wished) => line.ask('takeRoom', wished),
    end: (lease, tokens) => line.tell('endRoom', [lease, tokens]),
    more: (lease, tokens) => line.tell('moreRoom', [lease, tokens]),
  },
  new CountedSeatRoom(silentNews, () => clock.monotonic()),
  () => clock.monotonic(),
);

/** The stores, the routing and the relay of this thread. */
const compose = async () => {
  const opened = await openSeatStores(config, seat);
  const stores = { ...opened, houseCosts: patientHouseCosts(opened.houseCosts, log) };
  const clockJob = await followClock(stores.database, clock, log);
  const catalogue = await loadPriceCatalogue();
  const keeper = await createRoutingKeeper({ ...stores, catalogue, clock, log });
  const routing = keeper.current;
  const metrics = createMetrics(undefined, config.metricsToken !== undefined);
  const seen = new Sightings({ ...stores, clock, log });
  const balances = collectBalances();
  const outbound = composeOutbound(config, () => routing().options);
  const { relay, taskRelay } = composeRelay({
    stores,
    outbound,
    clock,
    random,
    log,
    ledger: watchedLedger(stores.ledger, balances.watch),
    routing,
    pricesDue: createDueWait({
      routing,
      clock,
      log,
      takeUp: async () => {
        await line.ask('pricesDue', []);
        await keeper.refresh();
      },
    }),
    groupsReady: createGroupsReady({ routing, refresh: keeper.refresh, clock, log }),
    modelRates,
    wrongKeys: {
      count: (ip, windowMs, nowMs) => wrongKeys.count(ip, windowMs, nowMs),
      add(ip, windowMs, nowMs) {
        wrongKeys.add(ip, windowMs, nowMs);
        line.tell('wrongKey', [ip, windowMs, nowMs]);
      },
    },
    keptResponses: knowingAll(stores.keptResponses, () => line.ask('writeKept', []).catch(() => undefined)),
    // Without an answer assume yes: the response is checked again later.
    isHeardElsewhere: (holdId) => line.ask('isHeard', [holdId]).catch(() => true),
    news,
    seatRoom,
    metrics,
    channels: {
      autoDisable: (channelId, reason) => line.tell('autoDisable', [channelId, reason]),
      keyRefused: (told) => line.tell('keyRefused', [told]),
      keyWorks: (...seat) => line.tell('keyWorks', seat),
      takeKeyTrial: (...seat) => line.ask('takeKeyTrial', seat),
      soldBelowCost: (...sale) => line.tell('soldBelowCost', sale),
      seen: seen.seen,
    },
    identify: createIdentify(stores.users, createSessions(stores.sessions, clock)),
    relays: seat.relays,
  });
  return { stores, clockJob, keeper, metrics, seen, balances, sender: outbound.sender, relay, taskRelay };
};

const serve = async () => {
  const { stores, clockJob, keeper, metrics, seen, balances, sender, relay, taskRelay } = await compose();
  const site = forwardTo(siteDoor);
  const frontDoor = createFrontDoor({
    relay,
    tasks: taskRelay,
    site: () => site,
    clock,
    random,
    log,
    trustedProxies: config.trustedProxies,
    connectionsPerAddress: config.connectionsPerAddress,
    addressCounts: sharedAddressCounts(addresses, column),
    sharesPort: 'further',
    bodies: new RelayBodies(seat.relays),
    ...doorShare(seat.relays),
  });
  const endJobs = runEvery(
    [
      { name: 'write down sightings', everyMs: SIGHTINGS_EVERY_MS, run: seen.flush },
      { name: 'tell balances', everyMs: BALANCES_EVERY_MS, run: balances.tell },
      clockJob,
      followVault({ ...stores, clock }),
    ],
    log,
  );
  await relay.start();
  await frontDoor.listen(servedPort, config.host);
  return {
    relay,
    metrics,
    refresh: () => keeper.refresh(),
    async stop(graceMs: number): Promise<void> {
      await frontDoor.stop(graceMs);
      await endJobs();
      await balances.tell();
      await seen.flush();
      site.close();
      await sender.close();
      metrics.close();
      await stores.close();
    },
  };
};

const serving = serve();
await serving;
line.tell('ready', []);
