import type { Clock, Random } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { canSharePort, type Config } from '../config.ts';
import { doorShare } from '../http/door/front-door.ts';
import type { FrontDoorDeps, Handler } from '../http/door/front-door-deps.ts';
import { RelayBodies } from '../http/bodies/relay-body.ts';
import { newAddressTable, sharedAddressCounts } from '../http/door/shared-address-counts.ts';
import { openSiteDoor } from '../http/site/site-door.ts';
import type { RelayList } from '../store/ledger/node-lease.ts';
import type { Parts } from './compose-control.ts';
import { startRelayThreads } from './relay-threads.ts';

const SALT_LENGTH = 16;

interface FurtherRelaysDeps {
  readonly config: Config;
  readonly parts: Parts;
  readonly list: RelayList;
  readonly site: FrontDoorDeps['site'];
  readonly print: (line: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** What the main thread's front door needs for sharing its port, and how the further relays are started and stopped. */
interface FurtherRelays {
  readonly doorDeps: Partial<FrontDoorDeps>;
  start(port: number): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

const none: FurtherRelays = { doorDeps: {}, start: async () => undefined, stop: async () => undefined };

/** The further relays that the configuration asks for; none by default. */
export const createFurtherRelays = (deps: FurtherRelaysDeps): FurtherRelays => {
  const { config, parts, random, log } = deps;
  const { relays } = config;
  if (relays === 1) return none;
  if (!canSharePort()) {
    log.warn('this system cannot share a port: one relay serves alone', { asked: relays });
    return none;
  }
  const addresses = newAddressTable(relays, random.alphanumeric(SALT_LENGTH));
  let end: ((graceMs: number) => Promise<void>) | undefined;
  return {
    doorDeps: {
      sharesPort: 'first',
      addressCounts: sharedAddressCounts(addresses, 0),
      bodies: new RelayBodies(relays),
      ...doorShare(relays),
    },
    async start(port) {
      let isStopping = false;
      const handler: Handler = deps.site(() => isStopping);
      const { door, close } = await openSiteDoor(handler);
      const running = await startRelayThreads({
        ...deps,
        ...parts.stores,
        others: parts.others,
        news: parts.news,
        seatRoom: parts.seatRoom,
        modelRates: parts.modelRates,
        autoDisable: parts.autoDisable,
        soldBelowCost: parts.soldBelowCost,
        pricesDue: parts.pricesDue,
        keyCare: parts.keyCare,
        watchBalance: parts.quotaWarnings.watch,
        addresses,
        port,
        siteDoor: door,
      });
      end = async (graceMs) => {
        isStopping = true;
        await running.stop(graceMs);
        await close(graceMs);
      };
    },
    stop: async (graceMs) => end?.(graceMs),
  };
};
