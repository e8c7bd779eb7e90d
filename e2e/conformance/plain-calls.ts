import { isDeepStrictEqual } from 'node:util';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import type { Rig, RigChannel } from '../faults/rig.ts';
import type { Problem } from './check.ts';
import { costsAreHidden } from './without-costs.ts';
import { recordedAnswer } from './recorded-answer.ts';
import type { Recording } from './recordings.ts';
import type { Replayed } from './replay.ts';

type Json = Readonly<Record<string, unknown>>;

/** A kind of call other than a chat: its path, its channel type, and a minimal request if none was recorded. */
interface Kind {
  readonly path: (model: string) => string;
  readonly type: number;
  readonly caller: DialectName;
  readonly least: Json;
  readonly isForm?: true;
  /** The reply ranks documents. It has the same shape for every provider, so its bytes differ from the recorded ones. */
  readonly ranks?: true;
}

/** A channel type that offers everything OpenAI does. */
const OPENAI_LIKE = { type: 108, caller: 'openai-chat' } as const;
const GEMINI = { type: 24, caller: 'gemini' } as const;
const SOUND = { ...OPENAI_LIKE, least: {}, isForm: true } as const;
const RANKS = {
  caller: 'openai-chat',
  path: () => '/v1/rerank',
  least: { query: 'x', documents: Array.from({ length: 20 }, (_, at) => `document ${String(at)}`) },
  ranks: true,
} as const;
const CONTENT = { content: { parts: [{ text: 'x' }] } };

const kinds: Readonly<Record<string, Kind>> = {
  'openai.completions': { ...OPENAI_LIKE, path: () => '/v1/completions', least: { prompt: 'x' } },
  'openai.embeddings': { ...OPENAI_LIKE, path: () => '/v1/embeddings', least: { input: 'x' } },
  'openai.moderations': { ...OPENAI_LIKE, path: () => '/v1/moderations', least: { input: 'x' } },
  'openai.images': { ...OPENAI_LIKE, path: () => '/v1/images/generations', least: { prompt: 'x' } },
  'openai.images.edits': { ...SOUND, path: () => '/v1/images/edits', least: { prompt: 'x' } },
  'openai.audio.speech': {
    ...OPENAI_LIKE,
    path: () => '/v1/audio/speech',
    least: { input: 'x', voice: 'alloy' },
  },
  'openai.audio.transcriptions': { ...SOUND, path: () => '/v1/audio/transcriptions' },
  'openai.audio.translations': { ...SOUND, path: () => '/v1/audio/translations' },
  'openai.responses.compact': { ...OPENAI_LIKE, path: () => '/v1/responses/compact', least: { input: 'x' } },
  'cohere.rerank': { ...RANKS, type: 34 },
  'jina.rerank': { ...RANKS, type: 38 },
  'openrouter.rerank': { ...RANKS, type: 20 },
  'llamacpp.rerank': { ...RANKS, type: OPENAI_LIKE.type },
  'gemini.embedContent': {
    ...GEMINI,
    path: (model) => `/v1beta/models/${model}:embedContent`,
    least: CONTENT,
  },
  'gemini.batchEmbedContents': {
    ...GEMINI,
    path: (model) => `/v1beta/models/${model}:batchEmbedContents`,
    least: { requests: [CONTENT] },
  },
};

export interface PlainExchange extends Replayed {
  readonly kind: Kind;
  readonly model: string;
  readonly provider: string;
  readonly format: string;
  readonly stream: boolean;
  readonly fields: Json;
}

/** Undefined for any other recording. */
export const plainCallIn = (recording: Recording, model: string): PlainExchange | undefined => {
  const kind = kinds[recording.endpoint];
  const { request } = recording;
  if (kind === undefined || (request?.method ?? 'POST') !== 'POST') return undefined;
  const answered = recordedAnswer(recording);
  const fields = { ...kind.least, ...(answered.stream && { stream: true }), ...fieldsOf(request?.body) };
  return { ...answered, kind, model, fields };
};

const fieldsOf = (body: unknown): Json => {
  if (typeof body !== 'object' || body === null) return {};
  const form = (body as Json)['$multipart'];
  return typeof form === 'object' && form !== null ? (form as Json) : (body as Json);
};

export const plainChannel = ({ kind, model }: PlainExchange, baseUrl: string): RigChannel => ({
  type: kind.type,
  baseUrl,
  models: model,
  autoDisable: false,
});

const MOST_MS = 45_000;

/** The caller must get the upstream's bytes or, for ranks, its ranks; and an error if the upstream sent one. */
export const checkPlain = async (rig: Rig, exchange: PlainExchange): Promise<Problem> => {
  const { kind, model, fields, status, answer } = exchange;
  const body = kind.isForm === true ? formOf(fields, model) : JSON.stringify(bodyOf(exchange));
  const response = await fetch(rig.url + kind.path(model), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.key}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
    signal: AbortSignal.timeout(MOST_MS),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (status >= 400) return response.status >= 400 ? undefined : `an error became ${String(response.status)}`;
  if (response.status !== 200) return `status ${String(response.status)}: ${bytes.toString().slice(0, 300)}`;
  if (kind.ranks === true) return sameRanks(answer.bytes, bytes);
  if (bytes.equals(answer.bytes)) return undefined;
  return costsAreHidden(answer.bytes, bytes) ?? `other bytes: ${bytes.toString().slice(0, 200)}`;
};

const sameRanks = (sent: Buffer, shown: Buffer): string | undefined => {
  const ranksIn = (bytes: Buffer): unknown =>
    (JSON.parse(bytes.toString()) as { results: Json[] }).results.map(({ index, relevance_score }) => [
      index,
      relevance_score,
    ]);
  return isDeepStrictEqual(ranksIn(sent), ranksIn(shown))
    ? undefined
    : `ranks: ${shown.toString().slice(0, 200)}`;
};

const bodyOf = ({ kind, model, fields }: PlainExchange): Json =>
  kind.type === GEMINI.type ? fields : { ...fields, model };

/** A recording contains only the name of a form's file. */
const FILE = /^\[file: ([^\]]+)\]$/;

/** The recorded form with a few bytes for each of its files. If none is recorded, adds a sound and a picture. */
const formOf = (fields: Json, model: string): FormData => {
  const form = new FormData();
  const bytes = new Blob([Buffer.from([0xff, 0xfb, 0x90, 0x64])]);
  let hasFile = false;
  for (const [name, value] of Object.entries({ ...fields, model })) {
    const file = typeof value === 'string' ? FILE.exec(value)?.[1] : undefined;
    hasFile ||= file !== undefined;
    if (file !== undefined) form.append(name, bytes, file);
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (!hasFile) {
    form.append('file', bytes, 'sound.mp3');
    form.append('image', bytes, 'picture.png');
  }
  return form;
};
