import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { RelayMetrics, SettledCall } from '../../relay/ports.ts';
import { CallSeries } from './call-series.ts';
import {
  addTexts,
  counterText,
  gaugeText,
  histogram,
  histogramText,
  labelledText,
  observe,
} from './prometheus.ts';

/** Metrics of this process. Counting costs a few additions per call; the page is rendered on request. */
export interface Metrics {
  /** The counters that the relay writes. */
  readonly relay: RelayMetrics;
  /** What was counted in this thread. */
  counted(): Counted;
  /** The page, with current memory and event loop figures, of this thread and the others. */
  text(): Promise<string>;
  /** Stops measuring the event loop. */
  close(): void;
}

const add = (counts: Map<string, number>, labels: string): void => {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
};

/** The most channel and status pairs of failed attempts that are counted separately. */
const MOST_FAILURES = 2000;

class CallCounts implements RelayMetrics {
  readonly #calls = new Map<string, number>();
  readonly #failedAttempts = new Map<string, number>();
  readonly #series = new CallSeries();
  readonly #duration = histogram();
  readonly #firstByte = histogram();
  #openCalls = 0;
  #openStreams = 0;
  #openHolds = 0;
  #chargedUnits = 0;
  #houseLossUnits = 0;

  refused(code: string): void {
    add(this.#calls, `outcome="${code}",stream="unknown"`);
  }

  opened(stream: boolean): void {
    this.#openCalls += 1;
    if (stream) this.#openStreams += 1;
  }

  closed(stream: boolean, outcome: string, durationMs: number, firstByteMs: number | undefined): void {
    this.#openCalls -= 1;
    if (stream) this.#openStreams -= 1;
    add(this.#calls, stream ? `outcome="${outcome}",stream="true"` : `outcome="${outcome}",stream="false"`);
    observe(this.#duration, durationMs);
    if (firstByteMs !== undefined) observe(this.#firstByte, firstByteMs);
  }

  attemptFailed(channelId: number, channelType: number, status: number): void {
    const rest = `channel_type="${String(channelType)}",status="${String(status)}"`;
    const labels = `channel="${String(channelId)}",${rest}`;
    const isKnown = this.#failedAttempts.has(labels) || this.#failedAttempts.size < MOST_FAILURES;
    add(this.#failedAttempts, isKnown ? labels : `channel="other",${rest}`);
  }

  settled(call: SettledCall): void {
    this.#series.count(call);
  }

  holdOpened(): void {
    this.#openHolds += 1;
  }

  holdClosed(): void {
    this.#openHolds -= 1;
  }

  charged(quotaUnits: number, houseLossUnits: number): void {
    this.#chargedUnits += quotaUnits;
    this.#houseLossUnits += houseLossUnits;
  }

  lines(): string[] {
    return [
      labelledText('tollgate_calls_total', 'Relayed calls by outcome.', this.#calls),
      labelledText('tollgate_failed_attempts_total', 'Attempts upstream that failed.', this.#failedAttempts),
      histogramText('tollgate_call_duration_seconds', 'Time from a call to its end.', this.#duration),
      histogramText(
        'tollgate_first_byte_seconds',
        'Time from a call to its first byte back.',
        this.#firstByte,
      ),
      gaugeText('tollgate_open_calls', 'Calls running now.', this.#openCalls),
      gaugeText('tollgate_open_streams', 'Streams running now.', this.#openStreams),
      gaugeText('tollgate_open_holds', 'Holds this process has taken and not closed.', this.#openHolds),
      counterText('tollgate_charged_quota_units_total', 'Quota units charged.', this.#chargedUnits),
      counterText(
        'tollgate_house_loss_quota_units_total',
        'Units used that nobody could pay.',
        this.#houseLossUnits,
      ),
      ...this.#series.lines(),
    ];
  }
}

/** What one thread has counted. */
export interface Counted {
  /** Counters and gauges of calls, in Prometheus' text format: those of several threads add up. */
  readonly calls: string;
  readonly eventLoopP99Seconds: number;
  readonly eventLoopMaxSeconds: number;
  readonly heapUsedBytes: number;
}

const most = (values: readonly number[]): number => Math.max(...values);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** What a call costs in memory that is collected again: unlike its time, that is the same on a busy machine. */
const allocatedText = (): string =>
  counterText(
    'process_heap_allocated_bytes_total',
    'JavaScript heap allocated by the relays.',
    getHeapStatistics().total_allocated_bytes,
  );

/** The metrics page of several threads of one process. */
const pageOf = (all: readonly Counted[]): string =>
  [
    addTexts(all.map(({ calls }) => calls)),
    gaugeText(
      'tollgate_event_loop_delay_p99_seconds',
      'Event loop delay.',
      most(all.map(({ eventLoopP99Seconds }) => eventLoopP99Seconds)),
    ),
    gaugeText(
      'tollgate_event_loop_delay_max_seconds',
      'Longest event loop delay.',
      most(all.map(({ eventLoopMaxSeconds }) => eventLoopMaxSeconds)),
    ),
    gaugeText('process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss()),
    gaugeText(
      'process_heap_used_bytes',
      'JavaScript heap in use.',
      sum(all.map(({ heapUsedBytes }) => heapUsedBytes)),
    ),
    gaugeText('process_uptime_seconds', 'Time since the process began.', process.uptime()),
    '',
  ].join('\n');

/**
 * Counts for this thread; the page adds what `others` have counted.
 * @param isRead whether anybody may read the page: measuring the event loop wakes an idle thread fifty times a second
 */
export const createMetrics = (
  others: () => Promise<readonly Counted[]> = async () => [],
  isRead = true,
): Metrics => {
  const counts = new CallCounts();
  const eventLoop = monitorEventLoopDelay({ resolution: 20 });
  if (isRead) eventLoop.enable();
  const counted = (): Counted => ({
    calls: [...counts.lines(), allocatedText()].join('\n'),
    eventLoopP99Seconds: eventLoop.percentile(99) / 1e9,
    eventLoopMaxSeconds: eventLoop.max / 1e9,
    heapUsedBytes: getHeapStatistics().used_heap_size,
  });
  const text = async (): Promise<string> => pageOf([counted(), ...(await others())]);
  return { relay: counts, counted, text, close: () => eventLoop.disable() };
};
