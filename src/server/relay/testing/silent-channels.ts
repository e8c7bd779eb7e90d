import { initialOptions, type OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { channelOf } from '#core/channel/testing/channel.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import { AppError } from '#core/error.ts';
import { newTryBook, type TryDeps } from '../route/attempt-notes.ts';
import { ChannelHealth } from '../route/health/channel-health.ts';
import { KeyUses } from '../route/key-uses.ts';
import { LivePulses } from '../route/live-pulses.ts';
import type { Tries } from '../route/tries.ts';
import { tryChannels } from '../route/try-channels.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';

/** An attempt whose channel answers or fails when the test says so. */
interface Asked {
  readonly attempt: LiveAttempt<Chosen>;
  readonly answer: (value: string) => void;
  readonly fail: (error: AppError) => void;
}

/** How long an attempt may be silent. */
export const DEADLINE_MS = 100;

/** Calls `Date.now` each time, because the test replaces the clock later. */
const clock = { now: () => Date.now(), monotonic: () => Date.now() };

const depsBeside: Omit<TryDeps, 'health' | 'routing'> = {
  clock,
  channels: {
    autoDisable: () => undefined,
    keyRefused: () => undefined,
    keyWorks: () => undefined,
    takeKeyTrial: async () => false,
    seen: () => undefined,
    soldBelowCost: () => undefined,
  },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  metrics: { attemptFailed: () => undefined },
  keyUses: new KeyUses(clock, async () => false),
  pulses: new LivePulses(),
};

/** A decision for the next of so many open channels. */
export const decisionOf = (id: number, open: number): Decision => ({
  channel: id > open ? undefined : channelOf(1, { id }),
  group: 'default',
  coolingTaken: false,
  leftOut: [],
});

type Wish = Partial<Tries<string, Chosen>> & { readonly hedges?: boolean; readonly retries?: number };

/** One call whose channels are silent until the test answers: records what was asked, dropped and noted. */
export const silentChannels = () => {
  const asked: Asked[] = [];
  const dropped: [number, string | undefined][] = [];
  const book = newTryBook<Chosen>();
  const health = new ChannelHealth(() => 0);
  /** What the control plane was told of channels. */
  const told: string[] = [];
  /** The channels, and the operator's options, as they are now. */
  const now = new Map<number, Channel>();
  const options: { now: OptionValues } = { now: initialOptions };
  const deps: TryDeps = {
    ...depsBeside,
    health,
    routing: () => ({ channels: now, options: options.now }),
    channels: {
      ...depsBeside.channels,
      keyRefused: ({ channelId }) => void told.push(`refused ${String(channelId)}`),
      autoDisable: (id) => void told.push(`off ${String(id)}`),
    },
  };

  /**
   * Begins the call with so many open channels, asked in the order of their ids. Resolves to the answer or the error's
   * code.
   */
  const begin = (open: number, more: Wish = {}) => {
    const { hedges = false, retries = 0, ...rest } = more;
    const outcome = tryChannels<string, Chosen>(deps, {
      book,
      options: { ...initialOptions, RetryTimes: retries },
      model: 'm',
      requestId: 'r',
      userAgent: undefined,
      isFree: true,
      canRepeat: true,
      haste: { deadlineMs: DEADLINE_MS, hedges, takesHedge: () => true, answered: () => undefined },
      choose: ({ channels }) => decisionOf(channels.size + 1, open),
      nobody: () => new AppError('no_channel', 'nobody'),
      begin: (chosen) => chosen,
      ask: (attempt) =>
        new Promise((answer, fail) => {
          attempt.abort.signal.addEventListener('abort', () => fail(attempt.abort.signal.reason as Error));
          asked.push({ attempt, answer, fail });
        }),
      drop: ({ destination }, answer) => dropped.push([destination.channel.id, answer]),
      status: 200,
      ...rest,
    });
    const ended = outcome.then(
      (value) => value,
      (error: unknown) => (error instanceof AppError ? error.code : 'another error'),
    );
    return { ended };
  };

  const at = (index: number): Asked => {
    const one = asked[index];
    if (one === undefined) throw new Error(`channel ${index + 1} was not asked`);
    return one;
  };

  return { asked, at, dropped, book, begin, health, told, now, options };
};
