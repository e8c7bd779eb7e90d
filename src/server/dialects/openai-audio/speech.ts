import { z } from 'zod';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { knob, modelName, parseBounds } from '../openai/bounds.ts';
import { holdsError, readErrorInside, readUpstreamError } from '../openai/error.ts';
import { estimateTokens } from '../openai/estimate-tokens.ts';
import { isFields, type Fields } from '#core/json/fields.ts';
import { readMediaUsage, tapMedia } from '../openai/media-usage.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';

const bounds = z.object({
  model: modelName,
  input: z.string().min(1).max(1_000_000),
  speed: knob,
  stream_format: z.string().max(16).nullish(),
});

/** Models named `tts` are charged per character, others per token of the text. */
const textUnits = (model: string, input: string): number =>
  model.startsWith('tts') ? Array.from(input).length : Math.ceil(estimateTokens(input) / 2);

const facts = (body: Fields): RequestFacts => {
  const { model, input, stream_format: format } = parseBounds(bounds, body);
  return {
    model,
    stream: format === 'sse',
    maxOutputTokens: 0,
    choices: 1,
    inputTokensEstimate: Math.max(textUnits(model, input), estimateTokens(input)),
    wantsStreamUsage: true,
  };
};

const usageWithoutReport = (body: Fields): Usage => {
  const { model, input } = parseBounds(bounds, body);
  return { ...noUsage, inputTokens: textUnits(model, input), estimated: true };
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
