import { completionTokens, promptTokens, type Usage } from '#core/chat/usage.ts';
import type { Fields } from '#core/json/fields.ts';
import { cachedKindsOf, writtenAges } from '../openai/usage/usage.ts';

/** Writes usage in this format; `readUsage` of the OpenAI formats reads it back. */
export const writeUsage = (usage: Usage): Fields => {
  const input = promptTokens(usage);
  const output = completionTokens(usage);
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  const audio = usage.audioInputTokens + usage.audioCacheReadTokens;
  const image = usage.imageInputTokens + usage.imageCacheReadTokens;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      // Required by the format's own client libraries.
      cache_write_tokens: written,
      ...cachedKindsOf(usage),
      ...(audio > 0 && { audio_tokens: audio }),
      ...(image > 0 && { image_tokens: image }),
    },
    ...writtenAges(usage),
    output_tokens: output,
    output_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      ...(usage.audioOutputTokens > 0 && { audio_tokens: usage.audioOutputTokens }),
      ...(usage.imageOutputTokens > 0 && { image_tokens: usage.imageOutputTokens }),
    },
    total_tokens: input + output,
  };
};

/** Fields of `usage` that we read; others, such as a cost, are kept as extras. */
export const KNOWN_IN_USAGE: ReadonlySet<string> = new Set([
  'input_tokens',
  'input_tokens_details',
  'output_tokens',
  'output_tokens_details',
  'total_tokens',
  'cache_creation',
]);
