import { z } from 'zod';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { knob, modelName, parseBounds } from '../openai/bounds.ts';
import { holdsError, readErrorInside, readUpstreamError } from '../openai/error.ts';
import { estimateTokens } from '../openai/usage/estimate-tokens.ts';
import { isFields, type Fields } from '#core/json/fields.ts';
import { readMediaUsage, tapMedia } from '../openai/usage/media-usage.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';

const bounds = z.object({
  model: modelName,
  input: z.string().min(1).max(1_000_000),
  speed: knob,
  stream_format: z.string().max(16).nullish(),
  instructions: z.string().max(100_000).nullish().catch(undefined),
});

type Asked = z.infer<typeof bounds>;

/** Models named `tts` are charged per character, others per token of the text. */
const isPaidByLetter = (model: string): boolean => model.startsWith('tts');

/** OpenAI's and Google's models that are paid by the sound they make. It is reported in events only, not with bytes. */
const isPaidBySound = (model: string): boolean => /(?:^|\/)(?:gpt|gemini)-.*tts/.test(model);

const textOf = ({ model, input, instructions }: Asked): string =>
  isPaidBySound(model) ? input + (instructions ?? '') : input;

const textUnits = (asked: Asked): number =>
  isPaidByLetter(asked.model) ? Array.from(asked.input).length : Math.ceil(estimateTokens(textOf(asked)) / 2);

/** A syllable each, spoken about four to five a second. */
const SYLLABLES = /[\p{sc=Han}\p{sc=Hangul}]/gu;
/**
 * Tokens of sound for a syllable, and for a letter, of which about fifteen are spoken a second. OpenAI's price of a minute
 * is that of 1250 tokens; these are a tenth less, in the caller's favour.
 */
const OF_SYLLABLE = 4;
const OF_LETTER = 1.25;

/** Google counts 25 a second (ai.google.dev/gemini-api/docs/speech-generation), which is 1500 a minute. */
const OF_GOOGLE = 1.2;

/** The tokens of the sound of a text, as it is usually spoken. */
const soundTokens = ({ model, input }: Pick<Asked, 'model' | 'input'>): number => {
  const syllables = input.match(SYLLABLES)?.length ?? 0;
  const tokens = syllables * OF_SYLLABLE + (input.length - syllables) * OF_LETTER;
  return Math.ceil(/(?:^|\/)gemini-/.test(model) ? tokens * OF_GOOGLE : tokens);
};

/** Slow speech, and silence around it. */
const soundTokensMost = (asked: Pick<Asked, 'model' | 'input'>): number => 100 + 2 * soundTokens(asked);

const facts = (body: Fields): RequestFacts => {
  const asked = parseBounds(bounds, body);
  const { model, stream_format: format } = asked;
  const stream = format === 'sse';
  const hasSound = isPaidBySound(model) || (stream && !isPaidByLetter(model));
  return {
    model,
    stream,
    maxOutputTokens: hasSound ? soundTokensMost(asked) : 0,
    choices: 1,
    inputTokensEstimate: Math.max(textUnits(asked), estimateTokens(textOf(asked))),
    promptTokensMost: Math.max(textUnits(asked), 2 * estimateTokens(textOf(asked))),
    wantsStreamUsage: true,
  };
};

const usageWithoutReport = (body: Fields): Usage => {
  const asked = parseBounds(bounds, body);
  const outputTokens = isPaidBySound(asked.model) ? soundTokens(asked) : 0;
  return { ...noUsage, inputTokens: textUnits(asked), outputTokens, estimated: true };
};

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  return holdsError(body) ? { error: readErrorInside(body) } : { content: true };
};

/** `POST /v1/audio/speech`. The response is sound, or events that contain it. */
export const openaiSpeech: Wire & { readonly name: 'openai-speech' } = {
  name: 'openai-speech',
  facts,
  tap: tapMedia((body) => readMediaUsage(body['usage'])),
  tapWhole,
  usageWithoutReport,
  answersInBytes: true,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
