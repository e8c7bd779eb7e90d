import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import { DAY_MS, HOUR_MS } from '#core/time/spans.ts';

/** One invented call. */
export interface DemoCall {
  readonly atMs: number;
  readonly model: string;
  readonly usage: Usage;
  readonly useTimeMs: number;
  readonly firstByteMs: number;
  readonly isStream: boolean;
  /** Its token, as an index into the seeded tokens. */
  readonly tokenIndex: number;
  /** `retried`: the first channel failed and the second answered. `failed`: none answered, and nothing was charged. */
  readonly outcome: 'answered' | 'retried' | 'failed';
  /** The service tier requested and served, if it is not the standard one. */
  readonly tier?: 'priority' | 'flex';
}

const WEEK_DAYS = 7;
/** A little more than a month. */
export const EARLIER_DAYS = 38;
const EARLIER_CALLS_A_DAY = 5;

/** The relative number of calls in each hour of a working day, from midnight. */
const BUSY = [1, 1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 13, 9, 12, 15, 15, 14, 12, 9, 7, 6, 5, 3, 2] as const;
/** Weekends are quieter. */
const WEEKEND_SHARE = 0.35;

interface ModelHabit {
  readonly model: string;
  readonly share: number;
  readonly prompt: number;
  readonly answer: number;
  readonly tokensPerSecond: number;
  readonly hasTiers?: true;
}

const HABITS: readonly ModelHabit[] = [
  { model: 'gpt-4o-mini', share: 0.42, prompt: 900, answer: 260, tokensPerSecond: 95 },
  { model: 'gpt-4o', share: 0.18, prompt: 1800, answer: 420, tokensPerSecond: 70, hasTiers: true },
  { model: 'deepseek-chat', share: 0.2, prompt: 1400, answer: 500, tokensPerSecond: 45 },
  { model: 'kimi-k2', share: 0.08, prompt: 2600, answer: 350, tokensPerSecond: 55 },
  { model: 'text-embedding-3-small', share: 0.12, prompt: 600, answer: 0, tokensPerSecond: 1 },
];

/** The models of the demo's channels. */
export const demoModels: readonly string[] = HABITS.map(({ model }) => model);

/** A week of plausible calls that ends at `nowMs`, the oldest first; the same dice give the same calls. */
export const demoTraffic = (nowMs: number, tokenCount: number, dice: () => number): DemoCall[] => {
  const calls: DemoCall[] = [];
  const start = Math.floor((nowMs - WEEK_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  for (let hourMs = start; hourMs < nowMs; hourMs += HOUR_MS) {
    const date = new Date(hourMs);
    const quiet = date.getDay() === 0 || date.getDay() === 6 ? WEEKEND_SHARE : 1;
    const count = Math.round((BUSY[date.getHours()] ?? 1) * 2.4 * quiet * (0.7 + dice() * 0.6));
    for (let index = 0; index < count; index += 1) {
      const atMs = Math.round(hourMs + dice() * HOUR_MS);
      if (atMs < nowMs) calls.push(demoCall(atMs, tokenCount, dice));
    }
  }
  return calls.sort((left, right) => left.atMs - right.atMs);
};

/** Adds a few calls a day before the week, so that there is a finished month with a statement. */
export const earlierTraffic = (nowMs: number, tokenCount: number, dice: () => number): DemoCall[] => {
  const start = Math.floor(nowMs / DAY_MS) * DAY_MS - EARLIER_DAYS * DAY_MS;
  return Array.from({ length: (EARLIER_DAYS - WEEK_DAYS - 1) * EARLIER_CALLS_A_DAY }, (_, at) =>
    demoCall(Math.round(start + ((at + dice()) * DAY_MS) / EARLIER_CALLS_A_DAY), tokenCount, dice),
  );
};

const demoCall = (atMs: number, tokenCount: number, dice: () => number): DemoCall => {
  const habit = pick(dice());
  const usage = usageOf(habit, dice);
  const firstByteMs = Math.round(180 + spread(dice) * 320);
  const speakingMs = (completionTokens(usage) / habit.tokensPerSecond) * 1000;
  return {
    atMs,
    model: habit.model,
    usage,
    firstByteMs,
    useTimeMs: Math.round(firstByteMs + speakingMs * (0.8 + dice() * 0.5)),
    isStream: habit.answer > 0 && dice() < 0.7,
    outcome: outcomeOf(dice()),
    ...(habit.hasTiers === true && tierOf(dice())),
    // The first tokens are used most.
    tokenIndex: Math.min(tokenCount - 1, Math.floor(dice() ** 1.6 * tokenCount)),
  };
};

const pick = (roll: number): ModelHabit => {
  let left = roll;
  for (const habit of HABITS) {
    left -= habit.share;
    if (left < 0) return habit;
  }
  return HABITS[0] as ModelHabit;
};

const tierOf = (roll: number): Pick<DemoCall, 'tier'> => {
  if (roll < 0.06) return { tier: 'priority' };
  return roll < 0.12 ? { tier: 'flex' } : {};
};

const outcomeOf = (roll: number): DemoCall['outcome'] => {
  if (roll < 0.012) return 'failed';
  return roll < 0.05 ? 'retried' : 'answered';
};

/** Mostly around 1, now and then several times that. */
const spread = (dice: () => number): number => 0.3 + dice() * 0.9 + dice() ** 8 * 5;

const usageOf = (habit: ModelHabit, dice: () => number): Usage => {
  const prompt = Math.round(habit.prompt * spread(dice));
  const cached = habit.answer > 0 && prompt > 1024 && dice() < 0.5 ? Math.floor(prompt / 256) * 128 : 0;
  const usage = {
    ...noUsage,
    inputTokens: prompt - cached,
    cacheReadTokens: cached,
    outputTokens: habit.answer === 0 ? 0 : Math.max(1, Math.round(habit.answer * spread(dice))),
  };
  return promptTokens(usage) === 0 ? { ...usage, inputTokens: 1 } : usage;
};
