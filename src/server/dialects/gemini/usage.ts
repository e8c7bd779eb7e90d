import {
  completionTokens,
  countOf,
  noUsage,
  promptTokens,
  sumWithParts,
  type Usage,
} from '#core/chat/usage.ts';
import type { CountName } from '#core/quota/merge-reports.ts';
import { listOf, textOf, type Fields } from '#core/json/fields.ts';
import { camelFields } from './fields.ts';

/** Modalities by the number some clients ask for (`enum-encoding=int`). */
const MODALITIES: Readonly<Record<number, string>> = {
  1: 'TEXT',
  2: 'IMAGE',
  3: 'VIDEO',
  4: 'AUDIO',
  5: 'DOCUMENT',
};

/**
 * Reads `usageMetadata` into buckets that do not overlap (ai.google.dev/api/generate-content#UsageMetadata): the prompt
 * count includes cached tokens, the answer count excludes thoughts, and what a built-in tool read is beside both.
 * Undefined if the counts are impossible or all 0.
 */
export const readUsage = (value: unknown): Usage | undefined => {
  const usage = camelFields(value);
  const cachedParts = partsOf(usage['cacheTokensDetails']);
  const reportedCached = countOf(usage['cachedContentTokenCount']) || sumOf(cachedParts);
  const parts = partsOf(usage['promptTokensDetails']);
  const toolUse = countOf(usage['toolUsePromptTokenCount']);
  const thoughts = countOf(usage['thoughtsTokenCount']);
  const prompt = promptOf(usage, reportedCached, ...freshOf(parts, cachedParts));
  const cached = Math.min(reportedCached, prompt);
  // In the last chunk of a stream, only the total may include the answer.
  const answerParts = partsOf(usage['candidatesTokensDetails']);
  const reported = isAnswerReported(usage)
    ? countOf(usage['candidatesTokenCount'] ?? usage['responseTokenCount'])
    : Math.max(0, countOf(usage['totalTokenCount']) - prompt - toolUse - thoughts);
  const answered = sumWithParts(reported, ...answerParts.values());
  if (prompt + toolUse + answered + thoughts === 0) return undefined;
  // If the total says so, the answer count includes the thoughts.
  const isInside = thoughts > 0 && countOf(usage['totalTokenCount']) === prompt + toolUse + answered;
  const output = answered + (isInside ? 0 : thoughts);
  // No more of a kind is cached than the prompt has of it, or than the other kinds leave where it is not counted.
  const cachedKinds = { tokens: cached };
  const mostOf = (kind: string): number => parts.get(kind) ?? Math.max(0, prompt - sumOf(parts));
  const takeCached = (kind: string): number =>
    take(cachedKinds, Math.min(cachedParts.get(kind) ?? 0, mostOf(kind)));
  const audioCacheReadTokens = takeCached('AUDIO');
  const left = { tokens: prompt - cached };
  const audioInputTokens = take(left, (parts.get('AUDIO') ?? 0) - audioCacheReadTokens);
  const imageCacheReadTokens = takeCached('IMAGE');
  const imageInputTokens = take(left, (parts.get('IMAGE') ?? 0) - imageCacheReadTokens);
  const rest = { tokens: output };
  const audioOutputTokens = take(rest, answerParts.get('AUDIO'));
  // A film is made of pictures, and like them dearer than words; no model makes both.
  const imageOutputTokens = take(rest, (answerParts.get('IMAGE') ?? 0) + (answerParts.get('VIDEO') ?? 0));
  const outputTokens = rest.tokens;
  return {
    ...noUsage,
    inputTokens: left.tokens + toolUse,
    cacheReadTokens: cached,
    audioCacheReadTokens,
    imageCacheReadTokens,
    imageInputTokens,
    audioInputTokens,
    outputTokens,
    audioOutputTokens,
    imageOutputTokens,
    reasoningTokens: Math.min(thoughts, outputTokens),
  };
};

/** The prompt with parts that it cannot have in it, except where the total shows that it is whole. */
const promptOf = (usage: Fields, ...parts: readonly number[]): number => {
  const prompt = countOf(usage['promptTokenCount']);
  const answer = countOf(usage['candidatesTokenCount'] ?? usage['responseTokenCount']);
  const beside =
    countOf(usage['totalTokenCount']) - prompt - countOf(usage['toolUsePromptTokenCount']) - answer;
  const isTotalTold = beside === 0 || beside === countOf(usage['thoughtsTokenCount']);
  return prompt > 0 && isAnswerReported(usage) && isTotalTold ? prompt : sumWithParts(prompt, ...parts);
};

const isAnswerReported = (usage: Fields): boolean =>
  (usage['candidatesTokenCount'] ?? usage['responseTokenCount'] ?? null) !== null;

/** Counts that this report lacks and earlier ones may have. */
export const lacksIn = (value: unknown): readonly CountName[] => {
  const usage = camelFields(value);
  const isReported = isAnswerReported(usage) || countOf(usage['totalTokenCount']) > 0;
  return isReported ? [] : ['outputTokens', 'reasoningTokens', 'audioOutputTokens', 'imageOutputTokens'];
};

/** Writes usage. This format has no count of cache writes; they are part of the prompt. */
export const writeUsage = (usage: Usage): Fields => {
  const prompt = promptTokens(usage);
  const answered = completionTokens(usage) - usage.reasoningTokens;
  const { audioCacheReadTokens: cachedAudio, imageCacheReadTokens: cachedImage } = usage;
  // As the counts of the prompt, its parts have what was cached in them.
  const image = usage.imageInputTokens + cachedImage;
  const audio = usage.audioInputTokens + cachedAudio;
  const text = prompt - audio - image;
  const { audioOutputTokens: sound, imageOutputTokens: drawn } = usage;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: answered,
    totalTokenCount: prompt + completionTokens(usage),
    ...(usage.reasoningTokens > 0 && { thoughtsTokenCount: usage.reasoningTokens }),
    ...(usage.cacheReadTokens > 0 && {
      cachedContentTokenCount: usage.cacheReadTokens,
      cacheTokensDetails: details({
        TEXT: usage.cacheReadTokens - cachedAudio - cachedImage,
        IMAGE: cachedImage,
        AUDIO: cachedAudio,
      }),
    }),
    ...(prompt > 0 && { promptTokensDetails: details({ TEXT: text, IMAGE: image, AUDIO: audio }) }),
    ...(sound + drawn > 0 && {
      candidatesTokensDetails: details({ TEXT: answered - sound - drawn, IMAGE: drawn, AUDIO: sound }),
    }),
  };
};

const details = (counts: Readonly<Record<string, number>>): Fields[] =>
  Object.entries(counts)
    .filter(([, tokenCount]) => tokenCount > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }));

/** Tokens by modality. */
const partsOf = (value: unknown): ReadonlyMap<string, number> => {
  const parts = new Map<string, number>();
  for (const item of listOf(value)) {
    const { modality, tokenCount } = camelFields(item);
    const name = typeof modality === 'number' ? MODALITIES[modality] : textOf(modality);
    if (name !== undefined) parts.set(name, (parts.get(name) ?? 0) + countOf(tokenCount));
  }
  return parts;
};

const sumOf = (parts: ReadonlyMap<string, number>): number =>
  parts.values().reduce((sum, tokens) => sum + tokens, 0);

/** What is left of each part without what was cached of it. */
const freshOf = (parts: ReadonlyMap<string, number>, cached: ReadonlyMap<string, number>): number[] =>
  [...parts].map(([name, tokens]) => Math.max(0, tokens - (cached.get(name) ?? 0)));

const take = (left: { tokens: number }, wanted = 0): number => {
  const part = Math.max(0, Math.min(wanted, left.tokens));
  left.tokens -= part;
  return part;
};
