import { AppError } from '../error.ts';
import { noUsage, type ToolCalls, type Usage } from '../chat/usage.ts';
import type { PriceBucket } from './price-factors.ts';
import { type Price, quotaOf } from './price.ts';

/** The output a hold assumes if the caller sets no limit. Longer answers are charged all the same. */
export const DEFAULT_OUTPUT_TOKENS = 4096;

/** What is known about the size of a call before it is sent. */
export interface CallSize {
  readonly inputTokens: number;
  /** How many of them are of sound, and of pictures. */
  readonly soundTokens?: number | undefined;
  readonly pictureTokens?: number | undefined;
  /** Undefined if the caller set no limit; 0 if the call produces no output. */
  readonly maxOutputTokens: number | undefined;
  readonly choices: number;
  /** The answer is to be spoken. */
  readonly speaks?: boolean | undefined;
  /** The upstream's own tools it may run, with the assumed number of calls. */
  readonly toolCalls?: ToolCalls | undefined;
  /** The output to hold for, if it cannot be counted while it is produced and the payer has enough. */
  readonly outputTokensMost?: number | undefined;
  /** The tool calls to hold for, if they cannot be counted while they happen and the payer has enough. */
  readonly toolCallsMost?: ToolCalls | undefined;
  /** The option `PreConsumedQuota`: the minimum of prompt tokens a hold assumes. */
  readonly leastInputTokens: number;
}

/** The bucket in which a prompt's text tokens cost most. */
const dearestInput = ({ perToken, factors }: Price): PriceBucket => {
  let dearest: PriceBucket = 'inputTokens';
  if (perToken === undefined) return dearest;
  if (perToken.cacheReadTokens > perToken[dearest]) dearest = 'cacheReadTokens';
  if (!factors.writesCache) return dearest;
  // An operator may set one-hour cache writes cheaper than five-minute ones.
  for (const write of ['cacheWrite5mTokens', 'cacheWrite1hTokens'] as const)
    if (perToken[write] > perToken[dearest]) dearest = write;
  return dearest;
};

/** The dearest bucket of the answer: pictures cost more than text, and so does sound, where it is asked for. */
const dearestOutput = ({ perToken }: Price, speaks = false): PriceBucket => {
  if (perToken === undefined) return 'outputTokens';
  const { outputTokens: words, imageOutputTokens: pictures, audioOutputTokens: sound } = perToken;
  if (speaks && sound > words && sound > pictures) return 'audioOutputTokens';
  return pictures > words ? 'imageOutputTokens' : 'outputTokens';
};

/** Whether an answer at this price may contain pictures, whose number no token limit restricts. */
export const paysPictures = (price: Price): boolean => dearestOutput(price) === 'imageOutputTokens';

/** The output assumed for a call of this size. */
const outputOf = ({ maxOutputTokens = DEFAULT_OUTPUT_TOKENS }: CallSize): number => maxOutputTokens;

/**
 * The largest usage the call's limits allow: every prompt token in the dearest bucket it could belong to.
 * @param outputTokens of each answer, if it is another limit than the caller's
 */
export const worstUsage = (price: Price, size: CallSize, outputTokens = outputOf(size)): Usage => {
  const { inputTokens, leastInputTokens, soundTokens = 0, pictureTokens = 0, toolCalls } = size;
  const { perToken } = price;
  const words = dearestInput(price);
  const ofWords = perToken?.[words] ?? 0n;
  const sound = soundTokens > 0 && perToken && perToken.audioInputTokens > ofWords ? soundTokens : 0;
  const pictures = pictureTokens > 0 && perToken && perToken.imageInputTokens > ofWords ? pictureTokens : 0;
  const usage: { -readonly [Name in keyof Usage]: Usage[Name] } = { ...noUsage };
  usage[words] = Math.max(inputTokens, leastInputTokens) - sound - pictures;
  usage.audioInputTokens = sound;
  usage.imageInputTokens = pictures;
  usage[dearestOutput(price, size.speaks)] = Math.min(outputTokens * size.choices, Number.MAX_SAFE_INTEGER);
  if (toolCalls !== undefined) usage.toolCalls = toolCalls;
  return usage;
};

/**
 * The amount to hold before a call is sent, by the same function that charges it. For a price with dimensions, pass the
 * result of `ceilingOf`, which no charge exceeds. Throws `insufficient_quota` if no balance could hold that much.
 */
export const holdFor = (price: Price, size: CallSize, outputTokens = outputOf(size)): number => {
  const units = quotaOf(price, worstUsage(price, size, outputTokens));
  if (units === undefined) {
    throw new AppError(
      'insufficient_quota',
      'the call could cost more than any balance can hold, lower max_tokens',
      {
        reason: 'insufficient_user_quota',
      },
    );
  }
  return units;
};
