/** Kinds of calls beside chats whose bodies every provider takes and returns as OpenAI does. */
export type OtherCall =
  | 'completions'
  | 'embeddings'
  | 'images'
  | 'moderations'
  | 'rerank'
  | 'speech'
  | 'transcriptions';

type Paths = Partial<Readonly<Record<OtherCall, string>>>;

/** The paths of a provider's other calls, by channel type, as its reference states them. */
export type OtherPaths = Readonly<Record<number, Paths>>;

export const OPENAI_PATHS = {
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  images: '/v1/images/generations',
  moderations: '/v1/moderations',
  rerank: '/v1/rerank',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
} as const satisfies Paths;

/** OpenAI's paths of these calls, with a prefix instead of `/v1`. */
export const under = (prefix: string, ...calls: readonly OtherCall[]): Paths =>
  Object.fromEntries(calls.map((call) => [call, `${prefix}${OPENAI_PATHS[call].slice('/v1'.length)}`]));
