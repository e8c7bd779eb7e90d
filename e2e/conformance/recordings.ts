import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DialectName } from '../../src/server/core/chat/request.ts';

type Json = Readonly<Record<string, unknown>>;

/** A recorded chat in one of the four formats. */
export interface Exchange {
  readonly id: string;
  /** The model that callers ask for, unique to this exchange. */
  readonly model: string;
  readonly provider: string;
  readonly format: DialectName;
  readonly stream: boolean;
  readonly status: number;
  /** The answer as recorded: JSON, or the text of an event stream. */
  readonly answer: { readonly contentType: string; readonly bytes: Buffer };
  /** The request in the exchange's own format; undefined if only the answer was recorded. */
  readonly request: Json | undefined;
}

const FORMATS: Readonly<Record<string, DialectName>> = {
  'openai.chat': 'openai-chat',
  'openai.responses': 'openai-responses',
  'anthropic.messages': 'anthropic-messages',
  'gemini.generateContent': 'gemini',
  'gemini.streamGenerateContent': 'gemini',
};

/** One recording, as its file has it. */
export interface Recording {
  readonly id: string;
  readonly provider: string;
  readonly endpoint: string;
  readonly stream: boolean;
  readonly model?: string;
  readonly request: {
    readonly method?: string;
    readonly path?: string;
    readonly body?: unknown;
  } | null;
  readonly response: {
    readonly status: number;
    readonly body?: unknown;
    readonly sse?: string;
    readonly text?: string;
    readonly base64?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/**
 * All recordings of a collection in the order of their names, from the folder `exchanges` in it or from the folder itself.
 * Calls `onOdd` for files that are not recordings.
 */
export const readRecordings = async (named: string, onOdd: (file: string) => void): Promise<Recording[]> => {
  const inside = join(named, 'exchanges');
  const folder = existsSync(inside) ? inside : named;
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.json') && name !== 'index.json')
    .toSorted();
  const recordings: Recording[] = [];
  for (const file of files) {
    const recording = recordingIn(await readFile(join(folder, file), 'utf8'));
    if (recording === undefined) onOdd(file);
    else recordings.push(recording);
  }
  return recordings;
};

const recordingIn = (text: string): Recording | undefined => {
  try {
    const value = JSON.parse(text) as Partial<Recording> | null;
    const isWhole = typeof value?.endpoint === 'string' && typeof value.response?.status === 'number';
    return isWhole ? (value as Recording) : undefined;
  } catch {
    return undefined;
  }
};

/** A chat in one of the four formats; undefined for any other recording. */
export const chatIn = (recording: Recording, model: string): Exchange | undefined => {
  const format = FORMATS[recording.endpoint];
  const { id, provider, stream } = recording;
  const { status, body, sse, text } = recording.response;
  if (format === undefined || (body === undefined && sse === undefined && text === undefined))
    return undefined;
  // Google answers with a list unless events are requested; the gateway always requests events.
  const listed = format === 'gemini' && stream && Array.isArray(body) ? asEvents(body) : undefined;
  const events = sse ?? listed;
  const answer =
    events === undefined
      ? { contentType: 'application/json', bytes: Buffer.from(text ?? JSON.stringify(body)) }
      : { contentType: 'text/event-stream', bytes: Buffer.from(events) };
  return { id, model, provider, format, stream, status, answer, request: requestOf(recording, format) };
};

const asEvents = (items: readonly unknown[]): string =>
  items.map((item) => `data: ${JSON.stringify(item)}\r\n\r\n`).join('');

/** The body, with the model and the mode that the path says. */
const requestOf = ({ request, model, stream }: Recording, format: DialectName): Json | undefined => {
  const body = request?.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body) || '$multipart' in body)
    return undefined;
  const named = (body as Json)['model'] ?? /models\/([^/:]+)/.exec(request?.path ?? '')?.[1] ?? model;
  const full = { ...(body as Json), model: named === undefined || named === '' ? 'unnamed' : named };
  return format === 'gemini' ? { ...full, stream } : full;
};
