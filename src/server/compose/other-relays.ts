import type { LiveReport } from '#core/channel/live-sums.ts';
import type { AppError } from '#core/error.ts';
import type { News } from '#core/news.ts';
import { addTexts, withoutGauges } from '../http/site/prometheus.ts';
import type { Counted } from '../http/site/metrics.ts';
import { WindowCounter } from '../limits/window-counter.ts';
import type { WholeRelay } from '../relay/create-relay.ts';
import { TOKEN_CHANGED, USER_CHANGED } from '../relay/caller/token-cache.ts';
import type { RelayDeps, WrongKeys } from '../relay/ports.ts';
import type { Line } from './line.ts';
import type { RelayOffers } from './relay-offers.ts';

type RelayLine = Line<RelayOffers>;
type KeptResponses = RelayDeps['keptResponses'];

/** How long a change waits for a busy relay, so that whoever made it can rely on it. */
const REFRESH_MS = 2000;
const COUNT_MS = 1000;

const quietly = (asked: readonly Promise<unknown>[]): Promise<unknown> => Promise.allSettled(asked);

/** The further relays of this process, as the main thread reaches them. */
export class OtherRelays {
  readonly #lines = new Map<RelayLine, Counted | undefined>();
  readonly #silent = new Set<RelayLine>();
  readonly #wrongKeys = new WindowCounter();
  #own: Pick<WholeRelay, 'writeKept' | 'background'> | undefined;
  /** The final counts of relays that have ended, because counters must never decrease. */
  #gone = '';

  readonly wrongKeys: WrongKeys = {
    count: (ip, windowMs, nowMs) => this.#wrongKeys.count(ip, windowMs, nowMs),
    add: (ip, windowMs, nowMs) => this.wrongKey(undefined, ip, windowMs, nowMs),
  };

  add(line: RelayLine): void {
    this.#lines.set(line, undefined);
  }

  /** Removes a relay that has ended; its last known counts stay. */
  remove(line: RelayLine): void {
    const counted = this.#lines.get(line);
    line.close();
    this.#silent.delete(line);
    if (!this.#lines.delete(line) || counted === undefined) return;
    const calls = withoutGauges(counted.calls);
    this.#gone = this.#gone === '' ? calls : addTexts([this.#gone, calls]);
  }

  async refresh(): Promise<void> {
    await quietly(this.#all().map((line) => line.ask('refresh', [], REFRESH_MS)));
  }

  /** Counts a wrong key at every relay. */
  wrongKey(from: RelayLine | undefined, ip: string, windowMs: number, nowMs: number): void {
    this.#wrongKeys.add(ip, windowMs, nowMs);
    for (const line of this.#all()) if (line !== from) line.tell('wrongKey', [ip, windowMs, nowMs]);
  }

  /** The counts of all further relays, including ended ones. */
  async counted(): Promise<readonly Counted[]> {
    await this.look();
    const now = [...this.#lines.values()].filter((counted) => counted !== undefined);
    const none = { eventLoopP99Seconds: 0, eventLoopMaxSeconds: 0, heapUsedBytes: 0 };
    return this.#gone === '' ? now : [...now, { ...none, calls: this.#gone }];
  }

  /** The live reports of all further relays that answer. */
  async pulses(): Promise<readonly LiveReport[]> {
    const asked = await Promise.allSettled(this.#all().map((line) => line.ask('pulses', [], COUNT_MS)));
    return asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  /** Reads the counts of every relay; one that does not answer keeps its last known ones. */
  async look(): Promise<void> {
    await quietly(
      this.#all().map(async (line) => {
        const counted = await line.ask('counted', [], COUNT_MS).catch(() => undefined);
        if (!this.#lines.has(line)) return;
        // Not before: others may look meanwhile, and whoever is being asked is not silent yet.
        if (counted === undefined) this.#silent.add(line);
        else {
          this.#silent.delete(line);
          this.#lines.set(line, counted);
        }
      }),
    );
  }

  /** Whether it answered when last asked. */
  answers(line: RelayLine): boolean {
    return !this.#silent.has(line);
  }

  /** Makes every relay except `from` store where responses are kept. */
  async writeKept(from?: RelayLine): Promise<void> {
    const others = this.#all().filter((line) => line !== from);
    await quietly([
      ...others.map((line) => line.ask('writeKept', [])),
      ...(from === undefined || this.#own === undefined ? [] : [this.#own.writeKept()]),
    ]);
  }

  /**
   * Whether any relay except `from` is sending that response to a reader. A relay that does not answer counts as yes.
   */
  async isHeard(holdId: string, from?: RelayLine): Promise<boolean> {
    if (from !== undefined && this.#own?.background.isHeard(holdId) === true) return true;
    const asked = this.#all()
      .filter((line) => line !== from)
      .map((line) => line.ask('isHeard', [holdId]).catch(() => this.#lines.has(line)));
    return (await Promise.all(asked)).includes(true);
  }

  /** Also finds what other relays of this process know but have not stored yet. */
  knowingAll(store: KeptResponses): KeptResponses {
    return knowingAll(store, () => (this.#lines.size === 0 ? undefined : this.writeKept()));
  }

  /** The main thread's relay, with changes passed on to all further relays and, as news, to other nodes. */
  together(own: WholeRelay, news: News): WholeRelay {
    this.#own = own;
    return {
      ...own,
      invalidateToken: (tokenId) => {
        own.invalidateToken(tokenId);
        for (const line of this.#all()) line.tell('forgetToken', [tokenId]);
        news.tell(TOKEN_CHANGED, String(tokenId));
      },
      invalidateUser: (userId) => {
        own.invalidateUser(userId);
        for (const line of this.#all()) line.tell('forgetUser', [userId]);
        news.tell(USER_CHANGED, String(userId));
      },
      endCalls: (why: AppError) => {
        own.endCalls(why);
        for (const line of this.#all()) line.tell('endCalls', [why.message]);
      },
    };
  }

  #all(): readonly RelayLine[] {
    return [...this.#lines.keys()];
  }
}

/** If something is not found, makes all relays store what they know and looks again. */
export const knowingAll = (
  store: KeptResponses,
  writeAll: () => Promise<void> | undefined,
): KeptResponses => ({
  add: (rows) => store.add(rows),
  forget: (userId, responseId) => store.forget(userId, responseId),
  async find(userId, responseId, nowMs) {
    const found = await store.find(userId, responseId, nowMs);
    const written = found === undefined ? writeAll() : undefined;
    if (written === undefined) return found;
    await written;
    return store.find(userId, responseId, nowMs);
  },
  async holders(ids, nowMs) {
    const found = await store.holders(ids, nowMs);
    const isAllFound = ids.every((id) => found.some(({ responseId }) => responseId === id));
    const written = isAllFound ? undefined : writeAll();
    if (written === undefined) return found;
    await written;
    return store.holders(ids, nowMs);
  },
});
