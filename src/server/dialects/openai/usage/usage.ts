import {
  completionTokens,
  countOf,
  isCount,
  promptTokens,
  sumWithParts,
  type Usage,
} from '#core/chat/usage.ts';
import { fieldsOf, isFields, listOf, type Fields } from '#core/json/fields.ts';
import { sumOfChoices, sumOfReports } from '#core/quota/merge-reports.ts';

/**
 * Reads usage of the OpenAI format and compatible ones into buckets that do not overlap. Undefined if the counts are
 * impossible (negative, not whole, text, over 100 million) or all 0. Details count at most up to the sum they are part
 * of; one larger than its sum is taken as additional to it.
 */
export const readUsage = (value: unknown): Usage | undefined =>
  isFields(value) ? usageIn(value) : undefined;

const usageIn = (usage: Fields): Usage | undefined => {
  const prompt = sumIn(usage['prompt_tokens'], usage['input_tokens']);
  const completion = sumIn(usage['completion_tokens'], usage['output_tokens']);
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  const input = detailsIn(
    usage['prompt_tokens_details'],
    usage['prompt_token_details'],
    usage['input_tokens_details'],
  );
  const output = detailsIn(usage['completion_tokens_details'], usage['output_tokens_details']);
  const reasoning = countOf(output['reasoning_tokens'] ?? usage['reasoning_tokens']);
  const beside = countOf(usage['total_tokens']) - prompt - completion;
  // Where Mistral tells only the seconds of sound, its tokens are what only the total has.
  const heard = Number(usage['prompt_audio_seconds']) > 0 ? Math.max(0, beside) : 0;
  const audioIn = countOf(input['audio_tokens']) || heard;
  // xAI counts reasoning, and Mistral audio, in addition to the sum it belongs to; their total shows that.
  const promptWithAudio = prompt + (audioIn > 0 && audioIn <= prompt && beside === audioIn ? audioIn : 0);
  const completionWithReasoning =
    completion + (reasoning > 0 && reasoning <= completion && beside === reasoning ? reasoning : 0);

  const cached = cachedIn(usage, input);
  const { forAnHour, forMinutes } = writtenByAge(usage, input);
  const written = Math.max(writtenIn(usage, input), forAnHour);
  const imageIn = countOf(input['image_tokens']);
  const audioOut = countOf(output['audio_tokens']);
  const imageOut = countOf(output['image_tokens']);
  const completionSum = sumWithParts(completionWithReasoning, reasoning, audioOut, imageOut);
  // Grok at Azure reports more cached tokens than the prompt has; its total shows that the prompt's sum is complete.
  const isWhole = prompt > 0 && (beside === 0 || completion + beside === completionSum);
  const promptSum = isWhole ? prompt : sumWithParts(promptWithAudio, cached, written, audioIn, imageIn);
  // Each part is at most what the others leave of the sum.
  const cacheReadTokens = Math.min(cached, promptSum);
  let left = promptSum - cacheReadTokens;
  const cacheWrite1hTokens = Math.min(forAnHour, left);
  left -= cacheWrite1hTokens;
  const cacheWrite5mTokens = Math.min(written - cacheWrite1hTokens, left);
  left -= cacheWrite5mTokens;
  const { sound: cachedSound, pictures: cachedPictures } = cachedKinds(input, promptSum, cacheReadTokens);
  const audioInputTokens = Math.min(Math.max(0, audioIn - cachedSound), left);
  left -= audioInputTokens;
  const imageInputTokens = Math.min(Math.max(0, imageIn - cachedPictures), left);
  left -= imageInputTokens;
  if (promptSum + completionSum === 0) return undefined;
  const audioOutputTokens = Math.min(audioOut, completionSum);
  const imageOutputTokens = Math.min(imageOut, completionSum - audioOutputTokens);
  const outputTokens = completionSum - audioOutputTokens - imageOutputTokens;
  const counted = {
    inputTokens: isCount(promptSum) ? left : 0,
    cacheReadTokens,
    audioCacheReadTokens: cachedSound,
    imageCacheReadTokens: cachedPictures,
    cacheWrite5mTokens,
    cacheWrite1hTokens,
    imageInputTokens,
    audioInputTokens,
    outputTokens,
    audioOutputTokens,
    imageOutputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
    estimated: false,
  };
  const isUndated = cacheWrite5mTokens > 0 && forAnHour + forMinutes === 0;
  return isUndated ? { ...counted, writesUndated: true } : counted;
};

/** A sum by the first of its names; by the other, where a gateway has filled that in with 0. */
const sumIn = (sum: unknown, other: unknown): unknown =>
  sum === 0 && isCount(other) ? other : (sum ?? other ?? 0);

/** The first of these that says anything. */
const detailsIn = (...all: readonly unknown[]): Fields =>
  all.map(fieldsOf).find((details) => Object.values(details).some(Boolean)) ?? {};

/** Of counts that mean the same, the first that is not 0: gateways fill in names that their upstream does not know. */
const firstCount = (...values: readonly unknown[]): number => {
  for (const value of values) if (value !== undefined && isCount(value) && value > 0) return value;
  return 0;
};

const cachedIn = (usage: Fields, input: Fields): number =>
  firstCount(
    input['cached_tokens'],
    // Perplexity
    input['cache_read_input_tokens'],
    usage['prompt_cache_hit_tokens'],
    usage['cache_read_input_tokens'],
    usage['num_cached_tokens'],
    usage['cached_tokens'],
    // Only by kind.
    sumOf(fieldsOf(input['cached_tokens_details'])),
  );

/** What has been counted of text, sound and pictures. */
const sumOf = (kinds: Fields): number =>
  countOf(kinds['text_tokens']) + countOf(kinds['audio_tokens']) + countOf(kinds['image_tokens']);

const NO_KINDS = { sound: 0, pictures: 0 };

/**
 * How many of the cached tokens are sound and pictures. The counts of these kinds include them, so that no more of a kind can be
 * cached than the prompt has of it, or than the other kinds leave where it has no count.
 */
const cachedKinds = (
  input: Fields,
  prompt: number,
  cached: number,
): { readonly sound: number; readonly pictures: number } => {
  const kinds = input['cached_tokens_details'];
  if (!isFields(kinds)) return NO_KINDS;
  const most = (kind: 'audio_tokens' | 'image_tokens'): number =>
    isCount(input[kind]) ? input[kind] : Math.max(0, prompt - sumOf(input));
  const sound = Math.min(countOf(kinds['audio_tokens']), most('audio_tokens'), cached);
  const pictures = Math.min(countOf(kinds['image_tokens']), most('image_tokens'), cached - sound);
  return { sound, pictures };
};

const writtenIn = (usage: Fields, input: Fields): number =>
  firstCount(
    input['cache_write_tokens'],
    input['cache_creation_tokens'],
    // New API
    input['cached_creation_tokens'],
    input['cache_creation_input_tokens'],
    usage['cache_creation_input_tokens'],
  );

/** Cache writes by how long they last; both 0 if only the sum is reported. */
const writtenByAge = (usage: Fields, input: Fields): { forAnHour: number; forMinutes: number } => {
  const byAge = fieldsOf(usage['cache_creation']);
  const atLitellm = fieldsOf(input['cache_creation_token_details']);
  // OpenAI offers half an hour and twelve hours. More than an hour costs at least as much as an hour.
  const atOpenai = fieldsOf(input['cache_write_tokens_details']);
  return {
    forAnHour: firstCount(
      byAge['ephemeral_1h_input_tokens'],
      atOpenai['ttl_12h_tokens'],
      atLitellm['ephemeral_1h_input_tokens'],
      usage['claude_cache_creation_1_h_tokens'],
    ),
    forMinutes: firstCount(
      byAge['ephemeral_5m_input_tokens'],
      atOpenai['ttl_30m_tokens'],
      atLitellm['ephemeral_5m_input_tokens'],
      usage['claude_cache_creation_5_m_tokens'],
    ),
  };
};

/**
 * Finds usage where compatible upstreams put it: at the top, in Groq's field, by model (Volcengine's bots), or in the
 * choices (Moonshot).
 */
export const findUsage = (body: Fields): Usage | undefined =>
  usageAtTop(body) ?? sumOfChoices(usageByChoice(body)?.values() ?? []);

/** Usage of the whole answer. */
export const usageAtTop = (body: Fields): Usage | undefined =>
  readUsage(body['usage']) ??
  (body['x_groq'] === undefined ? undefined : readUsage(fieldsOf(body['x_groq'])['usage'])) ??
  (body['bot_usage'] === undefined
    ? undefined
    : sumOfReports(
        listOf(fieldsOf(body['bot_usage'])['model_usage']).flatMap((one) => readUsage(one) ?? []),
      ));

/** Usage of a call that writes nothing, of which some upstreams tell only all tokens together (Voyage, Jina). */
export const readPromptUsage = (value: unknown): Usage | undefined =>
  readUsage(value) ?? readUsage({ prompt_tokens: fieldsOf(value)['total_tokens'] });

/** Usage that is reported in choices, each by the choice's number. Counts only if there is none at the top. */
export const usageByChoice = (body: Fields): ReadonlyMap<number, Usage> | undefined => {
  let found: Map<number, Usage> | undefined;
  for (const [place, choice] of listOf(body['choices']).entries()) {
    const usage = isFields(choice) ? readUsage(choice['usage']) : undefined;
    if (usage !== undefined)
      (found ??= new Map<number, Usage>()).set(indexOf(fieldsOf(choice), place), usage);
  }
  return found;
};

/** The number of a choice, or its index in the list if it has none. */
export const indexOf = ({ index }: Fields, place: number): number =>
  typeof index === 'number' && Number.isInteger(index) ? index : place;

/** Writes usage of the OpenAI format, the inverse of `readUsage`. */
export const writeUsage = (usage: Usage): Record<string, unknown> => {
  const prompt = promptTokens(usage);
  const completion = completionTokens(usage);
  const written = usage.cacheWrite5mTokens + usage.cacheWrite1hTokens;
  const pictures = usage.imageInputTokens + usage.imageCacheReadTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      audio_tokens: usage.audioInputTokens + usage.audioCacheReadTokens,
      ...cachedKindsOf(usage),
      ...(pictures > 0 && { image_tokens: pictures }),
      ...(written > 0 && { cache_write_tokens: written }),
    },
    ...writtenAges(usage),
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      audio_tokens: usage.audioOutputTokens,
      ...(usage.imageOutputTokens > 0 && { image_tokens: usage.imageOutputTokens }),
    },
  };
};

/** The kinds of what was cached, where some of it is sound or pictures. */
export const cachedKindsOf = ({
  cacheReadTokens,
  audioCacheReadTokens: sound,
  imageCacheReadTokens: pictures,
}: Usage): Record<string, unknown> =>
  sound + pictures === 0
    ? {}
    : {
        cached_tokens_details: {
          text_tokens: cacheReadTokens - sound - pictures,
          audio_tokens: sound,
          ...(pictures > 0 && { image_tokens: pictures }),
        },
      };

/** How long cache writes last, as far as it is known. */
export const writtenAges = ({
  cacheWrite5mTokens,
  cacheWrite1hTokens,
  writesUndated,
}: Usage): Record<string, unknown> =>
  cacheWrite5mTokens + cacheWrite1hTokens === 0 || writesUndated === true
    ? {}
    : {
        cache_creation: {
          ephemeral_5m_input_tokens: cacheWrite5mTokens,
          ephemeral_1h_input_tokens: cacheWrite1hTokens,
        },
      };
