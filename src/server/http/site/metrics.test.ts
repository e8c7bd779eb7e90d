import { afterEach, beforeEach, expect, test } from 'vitest';
import { noUsage } from '#core/chat/usage.ts';
import type { SettledCall } from '../../relay/ports.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { withoutGauges } from './prometheus.ts';

let metrics: Metrics;
beforeEach(() => void (metrics = createMetrics()));
afterEach(() => metrics.close());

const USAGE = { ...noUsage, inputTokens: 10, audioInputTokens: 2, outputTokens: 5, cacheReadTokens: 7 };
const settled = (change: Partial<SettledCall> = {}): void =>
  metrics.relay.settled({
    model: 'm',
    group: 'default',
    channelId: 3,
    outcome: 'ok',
    usage: USAGE,
    durationMs: 1500,
    firstTokenMs: 200,
    ...change,
  });
const lines = (): string[] => metrics.counted().calls.split('\n');
const linesOf = (name: string): string[] => lines().filter((line) => line.startsWith(`${name}{`));

/** A line of the text format, version 0.0.4: a comment, or a name, labels and a number. */
const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`;
const LINE = new RegExp(
  String.raw`^(?:# (?:HELP|TYPE) [a-zA-Z_:][\w:]* .+|[a-zA-Z_:][\w:]*(?:\{${LABEL}(?:,${LABEL})*\})? [-+]?[\d.]+(?:e[-+]?\d+)?)$`,
);

test('a call is counted by model, group, channel and outcome, with its tokens and its times', () => {
  settled();
  settled({ outcome: 'upstream_failed', usage: undefined, firstTokenMs: undefined, durationMs: 90_000 });
  const labels = 'model="m",group="default",channel="3"';
  expect(linesOf('tollgate_model_calls_total')).toEqual([
    `tollgate_model_calls_total{${labels},outcome="ok"} 1`,
    `tollgate_model_calls_total{${labels},outcome="upstream_failed"} 1`,
  ]);
  expect(linesOf('tollgate_tokens_total')).toEqual([
    `tollgate_tokens_total{${labels},kind="input"} 12`,
    `tollgate_tokens_total{${labels},kind="output"} 5`,
    `tollgate_tokens_total{${labels},kind="cache_read"} 7`,
    `tollgate_tokens_total{${labels},kind="cache_write"} 0`,
  ]);
  expect(lines()).toContain('tollgate_model_call_duration_seconds_sum{model="m"} 91.5');
  expect(lines()).toContain('tollgate_model_call_duration_seconds_bucket{model="m",le="2.5"} 1');
  expect(lines()).toContain('tollgate_model_first_token_seconds_count{model="m"} 1');
});

test('failed attempts are told apart by channel', () => {
  metrics.relay.attemptFailed(3, 14, 529);
  metrics.relay.attemptFailed(4, 14, 529);
  expect(linesOf('tollgate_failed_attempts_total')).toEqual([
    'tollgate_failed_attempts_total{channel="3",channel_type="14",status="529"} 1',
    'tollgate_failed_attempts_total{channel="4",channel_type="14",status="529"} 1',
  ]);
});

test('the page is bounded for any number of names, and its sums leave nothing out', () => {
  for (let number = 0; number < 5000; number += 1) {
    settled({ model: `m-${String(number)}`, channelId: number });
    metrics.relay.attemptFailed(number, 1, 500);
  }
  const calls = linesOf('tollgate_model_calls_total');
  expect(calls.length).toBe(2001);
  expect(calls.at(-1)).toBe(
    'tollgate_model_calls_total{model="other",group="other",channel="other",outcome="ok"} 3000',
  );
  expect(linesOf('tollgate_model_call_duration_seconds_count').length).toBe(301);
  expect(linesOf('tollgate_failed_attempts_total').length).toBe(2001);
});

test('Prometheus reads every line, whatever a name contains, and each metric is described once', async () => {
  settled({ model: 'a "quoted"\\name\nof two lines{}', group: '组' });
  metrics.relay.attemptFailed(1, 1, 500);
  metrics.relay.opened(true);
  metrics.relay.closed(true, 'ok', 12, 3);
  const all = (await metrics.text()).split('\n');
  expect(all.pop()).toBe('');
  expect(all.filter((line) => !LINE.test(line))).toEqual([]);
  const types = all.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
  expect(new Set(types).size).toBe(types.length);
  expect(linesOf('tollgate_model_calls_total')[0]).toContain(
    String.raw`{model="a \"quoted\"\\name\nof two lines{}",group="组",`,
  );
});

test('what several threads have counted is added up, and each name is described once', async () => {
  const other = createMetrics();
  const together = createMetrics(async () => [metrics.counted(), other.counted()]);
  settled();
  for (const { relay } of [metrics, other, together]) {
    relay.opened(true);
    relay.refused('rate_limited');
    relay.closed(false, 'ok', 1500, undefined);
  }
  const all = (await together.text()).split('\n');
  for (const { close } of [other, together]) close();
  expect(all).toContain('tollgate_calls_total{outcome="rate_limited",stream="unknown"} 3');
  expect(all).toContain('tollgate_open_streams 3');
  expect(all).toContain('tollgate_call_duration_seconds_bucket{le="2.5"} 3');
  expect(all).toContain('tollgate_call_duration_seconds_sum 4.5');
  expect(all).toContain('tollgate_model_calls_total{model="m",group="default",channel="3",outcome="ok"} 1');
  expect(all.filter((line) => !LINE.test(line))).toEqual(['']);
  const types = all.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
  expect(new Set(types).size).toBe(types.length);
});

test('the event loop is measured only if the metrics can be read', async () => {
  const unread = createMetrics(undefined, false);
  const hasMeasured = (): boolean => metrics.counted().eventLoopMaxSeconds > 0;
  await expect.poll(hasMeasured).toBe(true);
  expect(unread.counted().eventLoopMaxSeconds).toBe(0);
  unread.close();
});

test('a dead thread’s counters stay, its gauges do not', async () => {
  metrics.relay.opened(false);
  metrics.relay.refused('rate_limited');
  const page = withoutGauges(metrics.counted().calls);
  expect(page).toContain('tollgate_calls_total{outcome="rate_limited",stream="unknown"} 1');
  expect(page).toContain('tollgate_call_duration_seconds_count 0');
  expect(page).not.toContain('tollgate_open');
});
