import { channelType } from '#contract/channel-types.ts';
import type { Channel } from '#core/channel/channel.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../dialects/openai-responses/openai-responses.ts';
import type { Addressed, Operation, Provider } from './provider.ts';

/** Where OpenAI answers each kind of call, below the prefix. */
export const PATHS: Readonly<Record<Operation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  edits: '/edits',
  embeddings: '/embeddings',
  // Google's own embeddings have no place in this format.
  'embed-content': '/embeddings',
  'batch-embed-contents': '/embeddings',
  'responses-compact': '/responses/compact',
  images: '/images/generations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  moderations: '/moderations',
  rerank: '/rerank',
  realtime: '/realtime',
  models: '/models',
};

/** Everything OpenAI itself offers that is no chat. */
export const openaiOperations = [
  'completions',
  'edits',
  'embeddings',
  'responses-compact',
  'images',
  'image-edits',
  'image-variations',
  'speech',
  'transcriptions',
  'translations',
  'moderations',
  'realtime',
] as const satisfies readonly Operation[];

const pathOf = ({ operation, dialect, model }: Addressed): string => {
  if (operation === 'realtime') return `${PATHS.realtime}?model=${encodeURIComponent(model)}`;
  return dialect === openaiResponses.name ? '/responses' : PATHS[operation];
};

export interface OpenaiLayout {
  /** What stands between the address and `/chat/completions`. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
  /** Paths that are elsewhere, prefix included. */
  readonly elsewhere?: Partial<Readonly<Record<Operation, string>>>;
  readonly headers?: (channel: Channel) => Readonly<Record<string, string>>;
  readonly adjust?: Provider['adjust'];
  /** Also answers at `/responses`. */
  readonly speaksResponses?: true;
}

/** A provider whose paths, key and bodies are OpenAI's but for what the layout names. */
export const openaiLayout = (layout: OpenaiLayout): Provider => ({
  dialect: openaiChat,
  ...(layout.speaksResponses === true && { natives: [openaiResponses] }),
  operations: layout.operations,
  address: (channel, call) => ({
    url: join(
      baseUrlOf(channel),
      layout.prefix,
      layout.elsewhere?.[call.operation] ?? layout.prefix + pathOf(call),
    ),
    headers: { ...contentHeaders(call), ...bearer(channel), ...layout.headers?.(channel) },
  }),
  ...(layout.adjust !== undefined && { adjust: layout.adjust }),
});

/** Where the channel says it is, else where its type is. */
export const baseUrlOf = (channel: Channel): string =>
  (channel.baseUrl === '' ? (channelType(channel.type)?.baseUrl ?? '') : channel.baseUrl).replace(/\/+$/, '');

export const contentHeaders = (call: Addressed): Record<string, string> => ({
  'content-type': 'application/json',
  accept: call.stream ? 'text/event-stream' : 'application/json',
});

/** Ollama and servers of one's own often have no key. */
export const bearer = (channel: Channel): Record<string, string> => {
  const key = channel.key.reveal().trim();
  return key === '' ? {} : { authorization: `Bearer ${key}` };
};

/** People paste addresses with and without `/v1`; it is never doubled. */
const join = (baseUrl: string, prefix: string, path: string): string =>
  prefix !== '' && baseUrl.endsWith(prefix) && path.startsWith(prefix)
    ? baseUrl + path.slice(prefix.length)
    : baseUrl + path;
