import { z } from 'zod';
import {
  addReports,
  BUCKETS,
  bucketAt,
  type ChannelSums,
  FIELD,
  FIELDS,
  type LiveReport,
  seriesOf,
  totalsOf,
} from '#core/channel/live-sums.ts';
import type { Clock } from '#core/clock.ts';
import type { News } from '#core/news.ts';

/** Topic: somebody at another node looks at the live board. */
const ASKED = 'live-asked';
/** Topic: the sums of one channel of another node. */
const TOLD = 'live-told';

/** The shortest time between two reports of a node. */
const TELL_EVERY_MS = 2000;
/** How long a report counts. */
const TOLD_MS = 10_000;
const CHANNELS_TOLD = 60;
const CHANNELS_KEPT = 200;
const NODES_KEPT = 64;
const ROUTES_TOLD = 8;

const count = z.number().int().min(0).max(0xff_ff_ff_ff);
const series = z.array(count).length(BUCKETS);
const reportShape = z.object({
  node: z.string().max(40),
  channel: z.number().int().positive(),
  running: count,
  calls: series,
  errors: series,
  firsts: series,
  firstMs: series,
  totals: z.array(count).length(FIELDS),
  routes: z.array(z.string().max(1000)).max(ROUTES_TOLD),
});

interface LiveNewsDeps {
  readonly news: News;
  readonly clock: Clock;
  readonly relay: { readonly pulses: { report(nowMs: number): LiveReport } };
  readonly others: { pulses(): Promise<readonly LiveReport[]> };
}

interface ReportedSums {
  readonly heardMs: number;
  readonly sums: ChannelSums;
}

/**
 * The live board of several nodes: while somebody looks at it at one node, the others send their reports as news. It
 * shows what has arrived and never waits.
 */
export class LiveNews {
  readonly #nodes = new Map<string, Map<number, ReportedSums>>();
  readonly #node = crypto.randomUUID();
  readonly #deps: LiveNewsDeps;
  #toldMs = -Infinity;
  #askedMs = -Infinity;

  constructor(deps: LiveNewsDeps) {
    this.#deps = deps;
    const { news } = deps;
    news.hear(ASKED, () => void this.#tell());
    news.hear(TOLD, (body) => this.#hear(body));
  }

  /** The latest reports of other nodes; also asks for new ones. */
  reports(): readonly LiveReport[] {
    const nowMs = this.#deps.clock.monotonic();
    if (nowMs - this.#askedMs >= TELL_EVERY_MS) {
      this.#askedMs = nowMs;
      this.#deps.news.tell(ASKED, '');
    }
    const found: LiveReport[] = [];
    for (const [node, channels] of this.#nodes) {
      for (const [id, { heardMs }] of channels) if (nowMs - heardMs > TOLD_MS) channels.delete(id);
      if (channels.size === 0) this.#nodes.delete(node);
      // Clocks of nodes differ, so a report counts from its arrival.
      else
        found.push({
          lastBucket: bucketAt(this.#deps.clock.now()),
          channels: [...channels.values()].map(({ sums }) => sums),
        });
    }
    return found;
  }

  async #tell(): Promise<void> {
    const nowMs = this.#deps.clock.monotonic();
    if (nowMs - this.#toldMs < TELL_EVERY_MS / 2) return;
    this.#toldMs = nowMs;
    const { relay, others, clock } = this.#deps;
    const reports = [relay.pulses.report(clock.now()), ...(await others.pulses())];
    const { channels } = addReports(reports, clock.now());
    for (const sums of channels.slice(0, CHANNELS_TOLD)) {
      const body = writeSums(this.#node, sums);
      this.#deps.news.tell(TOLD, body);
    }
  }

  #hear(body: string): void {
    const reported = readSums(body);
    if (reported === undefined) return;
    const channels = this.#nodes.get(reported.node) ?? new Map<number, ReportedSums>();
    if (!this.#nodes.has(reported.node) && this.#nodes.size >= NODES_KEPT) return;
    if (!channels.has(reported.sums.channelId) && channels.size >= CHANNELS_KEPT) return;
    const heardMs = this.#deps.clock.monotonic();
    this.#nodes.set(reported.node, channels.set(reported.sums.channelId, { heardMs, sums: reported.sums }));
  }
}

/** Kept short for news: durations and tokens are summed over all buckets. */
const writeSums = (node: string, { channelId, inFlight, counts, routes }: ChannelSums): string =>
  JSON.stringify({
    node,
    channel: channelId,
    running: inFlight,
    calls: seriesOf(counts, 'calls'),
    errors: seriesOf(counts, 'errors'),
    firsts: seriesOf(counts, 'firsts'),
    firstMs: seriesOf(counts, 'firstMs'),
    totals: [...totalsOf(counts)],
    routes: routes.slice(0, ROUTES_TOLD),
  } satisfies z.infer<typeof reportShape>);

const readSums = (body: string): { readonly node: string; readonly sums: ChannelSums } | undefined => {
  let reported: z.infer<typeof reportShape> | undefined;
  try {
    reported = reportShape.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
  if (reported === undefined) return undefined;
  const counts = new Uint32Array(BUCKETS * FIELDS);
  const last = (BUCKETS - 1) * FIELDS;
  for (let field: number = FIELD.prompt; field < FIELDS; field += 1)
    counts[last + field] = reported.totals[field] ?? 0;
  for (const name of ['calls', 'errors', 'firsts', 'firstMs'] as const)
    for (const [at, one] of reported[name].entries()) counts[at * FIELDS + FIELD[name]] = one;
  const { node, channel: channelId, running: inFlight, routes } = reported;
  return { node, sums: { channelId, inFlight, counts, keys: [], routes } };
};
