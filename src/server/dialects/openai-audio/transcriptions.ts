import { foldedName } from '#contract/asked-words.ts';
import { z } from 'zod';
import { AppError } from '#core/error.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { flag, modelName, parseBounds } from '../openai/bounds.ts';
import { holdsError, readErrorInside, readUpstreamError } from '../openai/error.ts';
import { readMediaUsage, tapMedia } from '../openai/usage/media-usage.ts';
import { soundSeconds } from '../sound/sound-tokens.ts';
import { wavSeconds } from '../sound/wav-head.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';

/**
 * For a file that is still arriving: speech is seldom under 64 kbit/s, and its duration is known once it is complete.
 */
const GUESSED_BYTES_PER_SECOND = 8000;

const guessedSeconds = (bytes: number, head: Buffer): number =>
  wavSeconds(head, bytes) ?? bytes / GUESSED_BYTES_PER_SECOND;

/** Input tokens of transcribed audio: 1000 per minute, seconds rounded up. */
export const transcriptionTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * 1000);

const bounds = z.object({ model: modelName, stream: flag });
const MAX_SECONDS = 7 * 24 * 3600;

const facts = (body: Fields): RequestFacts => {
  const { model, stream } = parseBounds(bounds, body);
  refuseSoundElsewhere(body);
  return {
    model,
    stream: stream ?? false,
    // A minute of speech is about 200 tokens of text.
    maxOutputTokens: Math.ceil(fileTokens(body) / 5),
    choices: 1,
    inputTokensEstimate: fileTokens(body),
    soundTokens: fileTokens(body),
    // Models count up to twice as many; what cannot be read plays longer than assumed.
    promptTokensMost: fileTokens(body) * 8,
    wantsStreamUsage: true,
  };
};

/** Where some upstreams take an address of sound, without case and punctuation. */
const ADDRESSES: ReadonlySet<string> = new Set(
  'file url uri fileurl fileuri audio audiourl inputurl mediaurl sourceurl cloudstorageurl'.split(' '),
);

/** Throws `invalid_request` for sound that is somewhere else: it has no known length, and so no price. */
const refuseSoundElsewhere = (body: Fields): void => {
  const named = Object.keys(body).find(
    (name) => ADDRESSES.has(foldedName(name)) && (body[name] ?? '') !== '',
  );
  const { url } = fieldsOf(body['input_audio']);
  const param = named ?? (url === undefined ? 'file' : 'input_audio.url');
  if (named === undefined && url === undefined && (listOf(body['$files']).length > 0 || soundInside(body)))
    return;
  throw new AppError('invalid_request', `'${param}': the sound must be in the form`, { param });
};

/** The sound in a JSON body, as OpenRouter takes it. */
const soundInside = (body: Fields): { readonly data: string; readonly format: string } | undefined => {
  const { data, format } = fieldsOf(body['input_audio']);
  if (typeof data !== 'string' || data === '' || /^https?:/i.test(data)) return undefined;
  return { data, format: textOf(format) ?? '' };
};

const fileTokens = (body: Fields): number => {
  let tokens = 0;
  const inside = soundInside(body);
  if (inside !== undefined) tokens += transcriptionTokens(soundSeconds(inside.data, inside.format));
  for (const file of listOf(body['$files'])) {
    const { head, start, end, seconds } = fieldsOf(file);
    if (!Buffer.isBuffer(head)) continue;
    const played = typeof seconds === 'number' ? seconds : guessedSeconds(Number(end) - Number(start), head);
    tokens += transcriptionTokens(played);
  }
  return Math.max(1, tokens);
};

/** Usage in tokens, or in seconds of audio; some upstreams report only the duration. */
export const readTranscriptionUsage = (body: Fields): Usage | undefined => {
  const usage = fieldsOf(body['usage']);
  const seconds = usage['type'] === 'duration' ? usage['seconds'] : (body['usage'] ?? body['duration']);
  if (isPlayed(seconds)) return { ...noUsage, audioInputTokens: transcriptionTokens(seconds) };
  const told = readMediaUsage(body['usage']);
  const { prompt_audio_seconds: heard } = usage;
  const lacksSound = told === undefined || told.audioInputTokens + told.audioCacheReadTokens === 0;
  // Mistral's tokens may be those of the words alone.
  return lacksSound && isPlayed(heard)
    ? { ...noUsage, ...told, audioInputTokens: transcriptionTokens(heard) }
    : told;
};

const isPlayed = (seconds: unknown): seconds is number =>
  typeof seconds === 'number' && seconds > 0 && seconds < MAX_SECONDS;

const usageWithoutReport = (body: Fields): Usage => ({
  ...noUsage,
  audioInputTokens: fileTokens(body),
  estimated: true,
});

const tapWhole = (body: unknown): Tapped => {
  if (!isFields(body)) return {};
  if (holdsError(body)) return { error: readErrorInside(body) };
  const usage = readTranscriptionUsage(body);
  return { content: true, ...(usage !== undefined && { usage }) };
};

/** `POST /v1/audio/transcriptions` and `translations`: a form goes in, JSON, text or subtitles come out. */
export const openaiTranscriptions: Wire & { readonly name: 'openai-transcriptions' } = {
  name: 'openai-transcriptions',
  facts,
  tap: tapMedia(readTranscriptionUsage),
  tapWhole,
  usageWithoutReport,
  goesOutEarly: true,
  answersInBytes: true,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
