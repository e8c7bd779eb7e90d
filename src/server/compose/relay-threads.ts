import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Clock, Random } from '#core/clock.ts';
import { type AbandonedDeps, closeAbandoned } from '#core/ledger/close-abandoned.ts';
import type { Log } from '#core/logging.ts';
import type { ModelRateLimiter } from '#core/limits/model-rate-limiter.ts';
import type { RelayDeps } from '../relay/ports.ts';
import type { Config } from '../config.ts';
import { type AddressTable, clearColumn } from '../http/door/shared-address-counts.ts';
import type { SiteDoor } from '../http/site/site-door.ts';
import type { WatchBalance } from '../control/wallet/quota-warnings.ts';
import { type Database, newNodeId, type RelaySeat } from '../store/database/database.ts';
import type { RelayList } from '../store/ledger/node-lease.ts';
import { leasesOf, type RoomCounter } from '../limits/asked-seat-room.ts';
import type { CountedSeatRoom } from '../limits/counted-seat-room.ts';
import { Line } from './line.ts';
import type { OtherRelays } from './other-relays.ts';
import type { NewsDesk } from './news-desk.ts';
import type { MainOffers, RelayOffers, RelayStart } from './relay-offers.ts';

/** What the main thread needs to start the further relays and to serve their requests. */
export interface RelayThreadsDeps extends AbandonedDeps {
  readonly config: Config;
  readonly database: Database;
  /** Keeps the lease of each relay alive. */
  readonly list: RelayList;
  readonly others: OtherRelays;
  readonly news: NewsDesk;
  readonly modelRates: ModelRateLimiter;
  readonly seatRoom: CountedSeatRoom;
  readonly autoDisable: RelayDeps['channels']['autoDisable'];
  readonly soldBelowCost: RelayDeps['channels']['soldBelowCost'];
  readonly pricesDue: () => Promise<void>;
  readonly keyCare: {
    readonly forRelay: Pick<RelayDeps['channels'], 'keyRefused' | 'keyWorks' | 'takeKeyTrial'>;
  };
  readonly watchBalance: WatchBalance;
  readonly addresses: AddressTable;
  readonly port: number;
  readonly siteDoor: SiteDoor;
  readonly print: (line: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** The wait before a relay that has ended is started again; it grows if the relay keeps ending. */
const BACKOFF_MS = [0, 1000, 2000, 5000, 10_000, 30_000] as const;
/** A relay that ran this long is started again without a wait. */
const PROVEN_MS = 60_000;
const CLEAN_AGAIN_MS = 1000;
const LOOK_EVERY_MS = 2000;
/** After this many unanswered checks in a row a relay counts as stuck. */
const LOOKS_UNTIL_STUCK = 15;
/** The time a relay gets to close everything after its calls have ended. */
const CLOSING_MS = 15_000;

/** One further relay: a thread that is started again if it ends. */
class RelayThread {
  readonly #deps: RelayThreadsDeps;
  readonly #column: number;
  #worker: Worker | undefined;
  #line: Line<RelayOffers> | undefined;
  #ended: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();
  #missed = 0;

  constructor(deps: RelayThreadsDeps, column: number) {
    this.#deps = deps;
    this.#column = column;
  }

  /** Resolves when it serves, or has failed to start. */
  async start(): Promise<void> {
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    this.#ended = this.#live(begun);
    await isBegun;
  }

  async #live(begun: () => void): Promise<void> {
    const { clock, log } = this.#deps;
    let failures = 0;
    while (!this.#isStopping) {
      const startedAtMs = clock.monotonic();
      try {
        await this.#once(begun);
      } catch (error) {
        log.error('a relay could not be started', { error });
      }
      begun();
      if (this.#isStopping) return;
      failures = clock.monotonic() - startedAtMs >= PROVEN_MS ? 0 : failures + 1;
      const waitMs = BACKOFF_MS[Math.min(Math.max(0, failures - 1), BACKOFF_MS.length - 1)] ?? 0;
      log.error('a relay has ended: its calls are closed, and it is started again', { waitMs });
      await this.#pause(waitMs);
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Ends early when the server stops. */
  #pause(waitMs: number): Promise<void> {
    const { signal } = this.#stopping;
    return pause(waitMs, undefined, { ref: false, signal }).catch(() => undefined);
  }

  /** Runs the thread once, to its end, and then closes the holds it left. */
  async #once(begun: () => void): Promise<void> {
    const { config, database, list, others, news, seatRoom, addresses } = this.#deps;
    const nodeId = newNodeId();
    await list.enter(nodeId);
    const leases = leasesOf(seatRoom);
    const neighbour = news.join((items) => this.#line?.tell('news', [items]));
    try {
      const seat = await database.seat(nodeId, config.relays);
      // From here on, a stop finds the thread.
      if (this.#isStopping) return;
      const worker = this.#spawn(seat);
      const line: Line<RelayOffers> = new Line(
        worker,
        this.#offers(() => line, begun, neighbour.deliver, leases),
      );
      this.#worker = worker;
      this.#line = line;
      this.#missed = 0;
      others.add(line);
      await new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      others.remove(line);
    } finally {
      neighbour.leave();
      leases.closeAll();
      this.#worker = undefined;
      this.#line = undefined;
      clearColumn(addresses, this.#column);
      await this.#cleaned(() => database.giveBack(nodeId));
      await this.#cleaned(() => list.leave(nodeId));
      await this.#cleaned(() => this.#closeHolds());
    }
  }

  #spawn(seat: RelaySeat): Worker {
    const { config, addresses, port, siteDoor, log } = this.#deps;
    const start: RelayStart = { config, port, seat, addresses, column: this.#column, siteDoor };
    const worker = new Worker(new URL('./relay-worker.ts', import.meta.url), {
      name: 'relay',
      execArgv: [],
      workerData: start,
      transferList: seat.ways === undefined ? [] : [seat.ways.writer, seat.ways.reader],
    });
    worker.on('error', (error) => log.error('a relay has failed', { error }));
    return worker;
  }

  #offers(
    line: () => Line<RelayOffers>,
    begun: () => void,
    news: MainOffers['news'],
    leases: RoomCounter,
  ): MainOffers {
    const { modelRates, others, watchBalance, autoDisable, soldBelowCost, pricesDue, keyCare, print } =
      this.#deps;
    return {
      ready: begun,
      print,
      begin: (userId, limit, nowMs) => modelRates.begin(userId, limit, nowMs),
      giveBack: (place, nowMs) => modelRates.giveBack(place, nowMs),
      succeeded: (userId, limit, nowMs) => modelRates.succeeded(userId, limit, nowMs),
      takeRoom: leases.take,
      endRoom: leases.end,
      moreRoom: leases.more,
      wrongKey: (ip, windowMs, nowMs) => others.wrongKey(line(), ip, windowMs, nowMs),
      balances: (units) => units.forEach((quotaUnits, userId) => watchBalance(userId, quotaUnits)),
      autoDisable,
      soldBelowCost,
      pricesDue,
      ...keyCare.forRelay,
      writeKept: () => others.writeKept(line()),
      news,
      isHeard: (holdId) => others.isHeard(holdId, line()),
    };
  }

  async #closeHolds(): Promise<void> {
    const { clock, log } = this.#deps;
    const nowMs = clock.now();
    const holds = await closeAbandoned(this.#deps, { createdBeforeMs: 0, expiredAtMs: nowMs }, nowMs);
    if (holds > 0) log.warn('the calls of a relay are closed', { holds });
  }

  /**
   * Retries until it succeeds, because open holds keep customers' money. When the server stops, the next start does it.
   */
  async #cleaned(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        this.#deps.log.error('the calls of an ended relay could not be closed', { error });
        if (this.#isStopping) return;
        await this.#pause(CLEAN_AGAIN_MS);
      }
    }
  }

  /** Checks whether the thread still answers; ends it if it is stuck. */
  look(): void {
    const line = this.#line;
    if (line === undefined) return;
    this.#missed = this.#deps.others.answers(line) ? 0 : this.#missed + 1;
    if (this.#missed < LOOKS_UNTIL_STUCK) return;
    this.#deps.log.error('a relay does not answer and is ended');
    void this.#worker?.terminate();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    const { log } = this.#deps;
    await this.#line?.ask('stop', [graceMs], graceMs + CLOSING_MS).catch((error: unknown) => {
      log.error('a relay did not stop by itself', { error });
    });
    await this.#worker?.terminate();
    await this.#ended;
  }
}

/** The further relays. */
interface RelayThreads {
  /** Lets running calls finish within this time, then ends them. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a thread for each relay except the main thread's. */
export const startRelayThreads = async (deps: RelayThreadsDeps): Promise<RelayThreads> => {
  const relays = Array.from({ length: deps.config.relays - 1 }, (_, at) => new RelayThread(deps, at + 1));
  await Promise.all(relays.map((relay) => relay.start()));
  const watch = setInterval(() => {
    void deps.others.look().then(() => relays.forEach((relay) => relay.look()));
  }, LOOK_EVERY_MS).unref();
  return {
    async stop(graceMs) {
      clearInterval(watch);
      await Promise.all(relays.map((relay) => relay.stop(graceMs)));
    },
  };
};
