import { AppError } from '../error.ts';
import { noUsage, type ToolCalls, type Usage } from '../chat/usage.ts';
import { type Price, type PriceBucket, quotaOf } from './price.ts';

/** What one answer is taken to be at most where the caller sets no limit. Longer answers are charged all the same. */
export const DEFAULT_OUTPUT_TOKENS = 4096;

/** What is known of a call before it is sent. */
export interface CallSize {
  readonly inputTokens: number;
  /** Undefined where the caller set no limit; 0 where the call has no output. */
  readonly maxOutputTokens: number | undefined;
  readonly choices: number;
  /** Tools the upstream may run itself, as often as is assumed. */
  readonly toolCalls?: ToolCalls | undefined;
  /** The option `PreConsumedQuota`: the fewest prompt tokens a hold assumes. */
  readonly leastInputTokens: number;
}

/** The bucket a prompt token of text costs most in. Pictures and sound above it are taken when the call is settled. */
const dearestInput = ({ perToken, factors }: Price): PriceBucket => {
  let dearest: PriceBucket = 'inputTokens';
  if (perToken === undefined) return dearest;
  if (perToken.cacheReadTokens > perToken[dearest]) dearest = 'cacheReadTokens';
  if (!factors.writesCache) return dearest;
  return perToken.cacheWrite1hTokens > perToken[dearest] ? 'cacheWrite1hTokens' : dearest;
};

/** Pictures may be drawn where words are said, and cost more. */
const dearestOutput = ({ perToken }: Price): PriceBucket =>
  perToken !== undefined && perToken.imageOutputTokens > perToken.outputTokens
    ? 'imageOutputTokens'
    : 'outputTokens';

/** The worst case of a call within its own limits: every prompt token in the dearest bucket it could land in. */
export const worstUsage = (price: Price, size: CallSize): Usage => ({
  ...noUsage,
  [dearestInput(price)]: Math.max(size.inputTokens, size.leastInputTokens),
  [dearestOutput(price)]: Math.min(
    (size.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS) * size.choices,
    Number.MAX_SAFE_INTEGER,
  ),
  ...(size.toolCalls !== undefined && { toolCalls: size.toolCalls }),
});

/**
 * How much is taken aside before a call is sent, priced by the same function that charges it.
 * Throws `insufficient_quota` when no balance could ever hold that much.
 */
export const holdFor = (price: Price, size: CallSize): number => {
  const units = quotaOf(price, worstUsage(price, size));
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
