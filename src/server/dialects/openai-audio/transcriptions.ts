import { z } from 'zod';
import { AppError } from '#core/error.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import { fieldsOf, isFields, listOf, type Fields } from '#core/json/fields.ts';
import type { RequestFacts, Tapped, Wire } from '../dialect.ts';
import { flag, modelName, parseBounds } from '../openai/bounds.ts';
import { holdsError, readErrorInside, readUpstreamError } from '../openai/error.ts';
import { readMediaUsage, tapMedia } from '../openai/media-usage.ts';
import { writeError, writeStreamError } from '../openai/write-error.ts';

/** Compressed speech is seldom under 64 kbit/s; audio of unknown length is assumed to have that. */
const BYTES_PER_SECOND = 8000;
const WAV_HEAD_BYTES = 44;

/** Whole numbers, floating point, and whatever the longer header says: all have samples of one size. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3, 0xfffe]);
const MOST_SAMPLES_PER_SECOND = 384_000;
const MOST_CHANNELS = 32;

/** The length of audio in seconds: of a WAV file from its header, of any other from its size. */
const soundSeconds = (length: number, head: Buffer): number =>
  length / (wavBytesPerSecond(head) ?? BYTES_PER_SECOND);

/** Readers of the sound go by its samples, whatever the header says a second is: what differs from them is not believed. */
const wavBytesPerSecond = (head: Buffer): number | undefined => {
  const isWav =
    head.length >= WAV_HEAD_BYTES &&
    head.toString('latin1', 0, 4) === 'RIFF' &&
    head.toString('latin1', 8, 16) === 'WAVEfmt ';
  if (!isWav || !UNCOMPRESSED.has(head.readUInt16LE(20))) return undefined;
  const [channels, samples] = [head.readUInt16LE(22), head.readUInt32LE(24)];
  const bytes = (samples * channels * head.readUInt16LE(34)) / 8;
  const isPossible = channels <= MOST_CHANNELS && samples <= MOST_SAMPLES_PER_SECOND && bytes >= 1000;
  return isPossible && bytes === head.readUInt32LE(28) ? bytes : undefined;
};

/** Input tokens of transcribed audio: 1000 per minute, seconds rounded up. */
export const transcriptionTokens = (seconds: number): number => Math.round((Math.ceil(seconds) / 60) * 1000);

const bounds = z.object({ model: modelName, stream: flag });
const MAX_SECONDS = 7 * 24 * 3600;

const facts = (body: Fields): RequestFacts => {
  const { model, stream } = parseBounds(bounds, body);
  // Audio by URL has no known length, and so no price.
  if (Array.isArray(body['$files']) && body['$files'].length === 0)
    throw new AppError('invalid_request', "'file': the sound must be in the form", { param: 'file' });
  return {
    model,
    stream: stream ?? false,
    // A minute of speech is about 200 tokens of text.
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
    if (Buffer.isBuffer(head)) tokens += transcriptionTokens(soundSeconds(Number(end) - Number(start), head));
  }
  return Math.max(1, tokens);
};

/** Usage in tokens, or in seconds of audio; some upstreams report only the duration. */
export const readTranscriptionUsage = (body: Fields): Usage | undefined => {
  const usage = fieldsOf(body['usage']);
  const seconds = usage['type'] === 'duration' ? usage['seconds'] : (body['usage'] ?? body['duration']);
  if (typeof seconds === 'number' && seconds > 0 && seconds < MAX_SECONDS)
    return { ...noUsage, inputTokens: transcriptionTokens(seconds) };
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
  const usage = readTranscriptionUsage(body);
  return { content: true, ...(usage !== undefined && { usage }) };
};

/** `POST /v1/audio/transcriptions` and `translations`: a form goes in, JSON, text or subtitles come out. */
export const openaiTranscriptions: Wire & { readonly name: 'openai-transcriptions' } = {
  name: 'openai-transcriptions',
  facts,
  askForUsage: (body) => body,
  tap: tapMedia(readTranscriptionUsage),
  tapWhole,
  usageWithoutReport,
  goesOutEarly: true,
  answersInBytes: true,
  readError: readUpstreamError,
  writeError,
  writeStreamError,
};
