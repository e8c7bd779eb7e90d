import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RelayMeter } from '../relay/ports.ts';

/** Upper bounds of the latency histograms, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;

/** Numbers of this process in the Prometheus text format. Written by hand: counting is a few additions a call. */
export interface Metrics {
  readonly meter: RelayMeter;
  /** The page, with memory and event loop figures of this moment. */
  text(): string;
  /** Stops measuring the event loop. */
  close(): void;
}

interface Histogram {
  readonly counts: number[];
  sum: number;
  total: number;
}

const histogram = (): Histogram => ({
  counts: Array.from({ length: BOUNDS.length }, () => 0),
  sum: 0,
  total: 0,
});

const observe = (target: Histogram, valueMs: number): void => {
  const seconds = valueMs / 1000;
  target.sum += seconds;
  target.total += 1;
  for (let index = 0; index < BOUNDS.length; index += 1) {
    if (seconds <= (BOUNDS[index] ?? 0)) {
      target.counts[index] = (target.counts[index] ?? 0) + 1;
      return;
    }
  }
};

const histogramText = (name: string, help: string, value: Histogram): string => {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  let below = 0;
  BOUNDS.forEach((bound, index) => {
    below += value.counts[index] ?? 0;
    lines.push(`${name}_bucket{le="${String(bound)}"} ${String(below)}`);
  });
  lines.push(
    `${name}_bucket{le="+Inf"} ${String(value.total)}`,
    `${name}_sum ${String(value.sum)}`,
    `${name}_count ${String(value.total)}`,
  );
  return lines.join('\n');
};

const plain = (name: string, type: 'counter' | 'gauge', help: string, value: number): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${String(value)}`;

const labelled = (name: string, help: string, values: ReadonlyMap<string, number>): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...[...values].map(([labels, value]) => `${name}{${labels}} ${String(value)}`),
  ].join('\n');

const add = (counts: Map<string, number>, labels: string): void => {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
};

export const createMetrics = (): Metrics => {
  const calls = new Map<string, number>();
  const failedAttempts = new Map<string, number>();
  const duration = histogram();
  const firstByte = histogram();
  let openCalls = 0;
  let openStreams = 0;
  let openHolds = 0;
  let chargedUnits = 0;
  let houseLossUnits = 0;
  const eventLoop = monitorEventLoopDelay({ resolution: 20 });
  eventLoop.enable();

  const meter: RelayMeter = {
    refused(code) {
      add(calls, `outcome="${code}",stream="unknown"`);
    },
    opened(stream) {
      openCalls += 1;
      if (stream) openStreams += 1;
    },
    closed(stream, outcome, durationMs, firstByteMs) {
      openCalls -= 1;
      if (stream) openStreams -= 1;
      add(calls, stream ? `outcome="${outcome}",stream="true"` : `outcome="${outcome}",stream="false"`);
      observe(duration, durationMs);
      if (firstByteMs !== undefined) observe(firstByte, firstByteMs);
    },
    attemptFailed(channelType, status) {
      add(failedAttempts, `channel_type="${String(channelType)}",status="${String(status)}"`);
    },
    holdOpened() {
      openHolds += 1;
    },
    holdClosed() {
      openHolds -= 1;
    },
    charged(quotaUnits, lossUnits) {
      chargedUnits += quotaUnits;
      houseLossUnits += lossUnits;
    },
  };

  const text = (): string => {
    const memory = process.memoryUsage();
    return [
      labelled('tollgate_calls_total', 'Relayed calls by outcome.', calls),
      labelled('tollgate_failed_attempts_total', 'Attempts upstream that failed.', failedAttempts),
      histogramText('tollgate_call_duration_seconds', 'Time from a call to its end.', duration),
      histogramText(
        'tollgate_first_byte_seconds',
        'Time from a call to the first byte of its answer.',
        firstByte,
      ),
      plain('tollgate_open_calls', 'gauge', 'Calls running now.', openCalls),
      plain('tollgate_open_streams', 'gauge', 'Streams running now.', openStreams),
      plain('tollgate_open_holds', 'gauge', 'Holds this process has taken and not closed.', openHolds),
      plain('tollgate_charged_quota_units_total', 'counter', 'Quota units charged.', chargedUnits),
      plain(
        'tollgate_house_loss_quota_units_total',
        'counter',
        'Quota units used that nobody could pay.',
        houseLossUnits,
      ),
      plain(
        'tollgate_event_loop_delay_p99_seconds',
        'gauge',
        'Event loop delay, 99th percentile.',
        eventLoop.percentile(99) / 1e9,
      ),
      plain(
        'tollgate_event_loop_delay_max_seconds',
        'gauge',
        'Longest event loop delay.',
        eventLoop.max / 1e9,
      ),
      plain('process_resident_memory_bytes', 'gauge', 'Resident memory.', memory.rss),
      plain('process_heap_used_bytes', 'gauge', 'JavaScript heap in use.', memory.heapUsed),
      plain('process_uptime_seconds', 'gauge', 'Time since the process began.', process.uptime()),
      '',
    ].join('\n');
  };

  return { meter, text, close: () => eventLoop.disable() };
};
