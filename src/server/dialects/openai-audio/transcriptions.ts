import { z } from 'zod';
import { AppError } from '#core/error.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { flag, modelName, parseBounds } from '../openai/bounds.ts';
import { holdsError, readErrorInside, readUpstreamError } from '../openai/error.ts';
import { fieldsOf, isFields, listOf, type Fields } from '../openai/fields.ts';
import { readMediaUsage, tapMedia } from '../openai/media-usage.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';
import { heardTokens, soundSeconds } from './sound-seconds.ts';

const bounds = z.object({ model: modelName, stream: flag });
const MAX_SECONDS = 7 * 24 * 3600;

const facts = (body: Fields): RequestFacts => {
  const { model, stream } = parseBounds(bounds, body);
  // A sound that is only named by its address has no length, and so no price.
  if (Array.isArray(body['$files']) && body['$files'].length === 0)
    throw new AppError('invalid_request', "'file': the sound must be in the form", { param: 'file' });
  return {
    model,
    stream: stream ?? false,
    // What is said in a minute is some two hundred tokens of text.
    maxOutputTokens: Math.ceil(fileTokens(body) / 5),
    choices: 1,
    inputTokensEstimate: fileTokens(body),
    wantsStreamUsage: true,
  };
};

const fileTokens = (body: Fields): number => {
  let tokens = 0;
  for (const file of listOf(body['$files'])) {
    const { head, start, end } = fieldsOf(file);
    if (Buffer.isBuffer(head)) tokens += heardTokens(soundSeconds(Number(end) - Number(start), head));
  }
  return Math.max(1, tokens);
};

/** Usage in tokens, or in seconds heard; some tell only how long the sound is. */
export const readHeard = (body: Fields): Usage | undefined => {
  const usage = fieldsOf(body['usage']);
  const seconds = usage['type'] === 'duration' ? usage['seconds'] : (body['usage'] ?? body['duration']);
  if (typeof seconds === 'number' && seconds > 0 && seconds < MAX_SECONDS)
    return { ...noUsage, inputTokens: heardTokens(seconds) };
  return readMediaUsage(body['usage']);
};

const usageWithoutReport = (body: Fields): Usage => ({
  ...noUsage,
  inputTokens: fileTokens(body),
  estimated: true,
});

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  if (holdsError(body)) return { error: readErrorInside(body) };
  const usage = readHeard(body);
  return { content: true, ...(usage !== undefined && { usage }) };
};

/** `POST /v1/audio/transcriptions` and `translations`: a form goes in, JSON, text or subtitles come out. */
export const openaiTranscriptions: Wire & { readonly name: 'openai-transcriptions' } = {
  name: 'openai-transcriptions',
  facts,
  askForUsage: (body) => body,
  tap: tapMedia(readHeard),
  tapWhole,
  usageWithoutReport,
  goesOutEarly: true,
  answersInBytes: true,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
