import type { SettledCall } from '../../relay/ports.ts';
import { type Histogram, histogram, histogramLines, labelText, observe } from './prometheus.ts';

/** The most label sets. Each one uses memory here and in Prometheus while the process runs. */
const MOST_SERIES = 2000;
const MOST_MODELS = 300;
const OTHER = 'other';

const TOKEN_KINDS = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** One model for one group on one channel. */
interface Series {
  readonly labels: string;
  readonly outcomes: Map<string, number>;
  readonly tokens: [number, number, number, number];
}

interface Times {
  readonly labels: string;
  readonly duration: Histogram;
  readonly firstToken: Histogram;
}

const head = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

/**
 * Counts calls by model, group and channel. Only calls with a hold get here, so the model has a channel and a price;
 * names that callers make up are refused earlier. Past the limit, calls count as `other`. Counting a call is a lookup
 * and an addition.
 */
export class CallSeries {
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();
  readonly #all: Series[] = [];
  readonly #times = new Map<string, Times>();
  readonly #otherTimes = timesOf(OTHER);
  readonly #other = seriesOf(OTHER, OTHER, OTHER);

  count(call: SettledCall): void {
    const { usage, outcome } = call;
    const { outcomes, tokens } = this.#seriesFor(call);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (usage !== undefined) {
      tokens[0] += usage.inputTokens + usage.imageInputTokens + usage.audioInputTokens;
      tokens[1] += usage.outputTokens + usage.audioOutputTokens + usage.imageOutputTokens;
      tokens[2] += usage.cacheReadTokens;
      tokens[3] += usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
    }
    const { duration, firstToken } = this.#timesFor(call.model);
    observe(duration, call.durationMs);
    if (call.firstTokenMs !== undefined) observe(firstToken, call.firstTokenMs);
  }

  #seriesFor({ model, group, channelId }: SettledCall): Series {
    const found = this.#series.get(model)?.get(group)?.get(channelId);
    if (found !== undefined) return found;
    if (this.#all.length >= MOST_SERIES) return this.#other;
    const groups = this.#series.get(model) ?? new Map<string, Map<number, Series>>();
    const channels = groups.get(group) ?? new Map<number, Series>();
    const series = seriesOf(model, group, channelId === 0 ? '' : String(channelId));
    this.#series.set(model, groups.set(group, channels.set(channelId, series)));
    this.#all.push(series);
    return series;
  }

  #timesFor(model: string): Times {
    const found = this.#times.get(model);
    if (found !== undefined) return found;
    if (this.#times.size >= MOST_MODELS) return this.#otherTimes;
    const times = timesOf(model);
    this.#times.set(model, times);
    return times;
  }

  lines(): string[] {
    const all = this.#other.outcomes.size === 0 ? this.#all : [...this.#all, this.#other];
    const ofOthers = this.#otherTimes.duration.total === 0 ? [] : [this.#otherTimes];
    const times = [...this.#times.values(), ...ofOthers];
    const calls = 'tollgate_model_calls_total';
    const tokens = 'tollgate_tokens_total';
    const duration = 'tollgate_model_call_duration_seconds';
    const firstToken = 'tollgate_model_first_token_seconds';
    return [
      ...head(calls, 'counter', 'Calls that were held, by model, group, channel and outcome.'),
      ...all.flatMap(({ labels, outcomes }) =>
        [...outcomes].map(([code, count]) => `${calls}{${labels},outcome="${code}"} ${String(count)}`),
      ),
      ...head(tokens, 'counter', 'Tokens charged, by model, group, channel and kind.'),
      ...all.flatMap((series) =>
        TOKEN_KINDS.map(
          (kind, index) => `${tokens}{${series.labels},kind="${kind}"} ${String(series.tokens[index])}`,
        ),
      ),
      ...head(duration, 'histogram', 'Time from a call to its end, by model.'),
      ...times.flatMap((each) => histogramLines(duration, each.labels, each.duration)),
      ...head(firstToken, 'histogram', 'Time from a streamed call to its first token, by model.'),
      ...times.flatMap((each) => histogramLines(firstToken, each.labels, each.firstToken)),
    ];
  }
}

const seriesOf = (model: string, group: string, channel: string): Series => ({
  labels: [labelText('model', model), labelText('group', group), labelText('channel', channel)].join(','),
  outcomes: new Map(),
  tokens: [0, 0, 0, 0],
});

const timesOf = (model: string): Times => ({
  labels: labelText('model', model),
  duration: histogram(),
  firstToken: histogram(),
});
