import fc from 'fast-check';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { dearerCached } from '#core/testing/dearer-cached.ts';

type Bucket = Exclude<keyof Usage, 'estimated' | 'toolCalls'>;
/** What a call used, in buckets that do not overlap. */
export type Used = Readonly<Record<Bucket, number>>;

const buckets = Object.keys(noUsage).filter((name) => name !== 'estimated') as Bucket[];
const count = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(50), fc.nat(200_000));

/** Of buckets that a format can tell; thoughts are part of the answer's text, cached sound of what is cached. */
export const usedOf = (...told: readonly Bucket[]): fc.Arbitrary<Used> =>
  fc
    .record(
      Object.fromEntries(
        buckets.map((name) => [name, told.includes(name) ? count : fc.constant(0)]),
      ) as Record<Bucket, fc.Arbitrary<number>>,
    )
    .map((used) => ({
      ...used,
      reasoningTokens: Math.min(used.reasoningTokens, used.outputTokens),
      ...dearerCached(used),
    }))
    .filter((used) => promptOf(used) > 0 && answerOf(used) + promptOf(used) > 0);

export const promptOf = (used: Used): number =>
  used.inputTokens +
  used.cacheReadTokens +
  used.cacheWrite5mTokens +
  used.cacheWrite1hTokens +
  used.imageInputTokens +
  used.audioInputTokens;
export const answerOf = (used: Used): number =>
  used.outputTokens + used.audioOutputTokens + used.imageOutputTokens;
export const totals = (used: Used) => ({
  input_tokens: promptOf(used),
  output_tokens: answerOf(used),
  total_tokens: promptOf(used) + answerOf(used),
});
