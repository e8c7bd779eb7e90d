import { completionTokens, noUsage, promptTokens, type Usage } from '#core/chat/usage.ts';
import { fieldsOf, listOf, type Fields } from './fields.ts';

/** More than any call can use: a count above it is a fault of the upstream, not a bill. */
const MAX_TOKENS = 100_000_000;

/**
 * Usage as the OpenAI format and its look-alikes report it, in buckets that do not overlap. Counts that cannot be true
 * (negative, broken, text, over 100 million) make it undefined, as if it had not come, and so do counts that are all 0.
 * Details are only believed as far as the sum they are a part of.
 */
export const readUsage = (value: unknown): Usage | undefined => {
  const usage = fieldsOf(value);
  const prompt = usage['prompt_tokens'] ?? usage['input_tokens'] ?? 0;
  const completion = usage['completion_tokens'] ?? usage['output_tokens'] ?? 0;
  if (!isCount(prompt) || !isCount(completion) || prompt + completion === 0) return undefined;
  const input = fieldsOf(
    usage['prompt_tokens_details'] ?? usage['prompt_token_details'] ?? usage['input_tokens_details'],
  );
  const output = fieldsOf(usage['completion_tokens_details'] ?? usage['output_tokens_details']);
  const audioIn = count(input['audio_tokens']);
  const reasoning = count(output['reasoning_tokens'] ?? usage['reasoning_tokens']);
  const beside = count(usage['total_tokens']) - prompt - completion;
  // xAI counts reasoning, Mistral audio, beside the sum it should be a part of; their total says so.
  const promptSum = prompt + (audioIn > 0 && beside === audioIn ? audioIn : 0);
  const completionSum = completion + (reasoning > 0 && beside === reasoning ? reasoning : 0);

  const take = portions(promptSum);
  const cacheReadTokens = take(
    input['cached_tokens'] ??
      // Perplexity
      input['cache_read_input_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['cache_read_input_tokens'] ??
      usage['num_cached_tokens'] ??
      usage['cached_tokens'],
  );
  const cacheWrite1hTokens = take(fieldsOf(usage['cache_creation'])['ephemeral_1h_input_tokens']);
  const written =
    input['cache_write_tokens'] ??
    input['cache_creation_tokens'] ??
    input['cache_creation_input_tokens'] ??
    usage['cache_creation_input_tokens'];
  const cacheWrite5mTokens = take(count(written) - cacheWrite1hTokens);
  const audioInputTokens = take(audioIn);
  const imageInputTokens = take(input['image_tokens']);
  const takeOut = portions(completionSum);
  const audioOutputTokens = takeOut(output['audio_tokens']);
  const imageOutputTokens = takeOut(output['image_tokens']);
  const outputTokens = completionSum - audioOutputTokens - imageOutputTokens;
  return {
    ...noUsage,
    inputTokens: take(promptSum),
    cacheReadTokens,
    cacheWrite5mTokens,
    cacheWrite1hTokens,
    imageInputTokens,
    audioInputTokens,
    outputTokens,
    audioOutputTokens,
    imageOutputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
};

/** Usage wherever look-alikes put it: at the top, in Groq's own field, by model (Volcengine's bots), or in a choice (Moonshot). */
export const findUsage = (body: Fields): Usage | undefined => {
  const top =
    readUsage(body['usage']) ??
    readUsage(fieldsOf(body['x_groq'])['usage']) ??
    readUsage(sumOfModels(fieldsOf(body['bot_usage'])['model_usage']));
  if (top !== undefined) return top;
  for (const choice of listOf(body['choices'])) {
    const usage = readUsage(fieldsOf(choice)['usage']);
    if (usage !== undefined) return usage;
  }
  return undefined;
};

/** What each of several models has used in one answer, together. */
const sumOfModels = (value: unknown): Fields => {
  let prompt_tokens = 0;
  let completion_tokens = 0;
  for (const used of listOf(value).map(fieldsOf)) {
    prompt_tokens += count(used['prompt_tokens']);
    completion_tokens += count(used['completion_tokens']);
  }
  return { prompt_tokens, completion_tokens };
};

/** Usage in the words of the OpenAI format; the other way round of `readUsage`. */
export const writeUsage = (usage: Usage): Record<string, unknown> => {
  const prompt = promptTokens(usage);
  const completion = completionTokens(usage);
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      audio_tokens: usage.audioInputTokens,
      ...(usage.imageInputTokens > 0 && { image_tokens: usage.imageInputTokens }),
      ...(written > 0 && { cache_write_tokens: written }),
    },
    ...(usage.cacheWrite1hTokens > 0 && {
      cache_creation: { ephemeral_1h_input_tokens: usage.cacheWrite1hTokens },
    }),
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
      ...(usage.imageOutputTokens > 0 && { image_tokens: usage.imageOutputTokens }),
    },
  };
};

/** Hands out parts of a sum, never more than what is left of it. */
const portions = (sum: number): ((value: unknown) => number) => {
  let left = sum;
  return (value) => {
    const part = Math.min(count(value), left);
    left -= part;
    return part;
  };
};

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TOKENS;

const count = (value: unknown): number => (isCount(value) ? value : 0);
