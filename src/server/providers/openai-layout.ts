import { channelType } from '#contract/channel-types.ts';
import type { Channel } from '#core/channel/channel.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../dialects/anthropic-messages/fill-request.ts';
import type { Dialect, Egress } from '../dialects/dialect.ts';
import { gemini } from '../dialects/gemini/gemini.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { messagesHeaders } from './claude-headers.ts';
import { namingJson, schemasInWords } from './json-answers.ts';
import { claudeSettings } from './claude-settings.ts';
import type { Operation } from '#core/operation.ts';
import type { Addressed, Provider } from './provider.ts';
import { chatThinking, type SayThinking } from './thinking.ts';
import { withoutStart } from './without-start.ts';

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

/** Where formats other than OpenAI's chat are spoken, from the root of the address: prefix included. */
export interface NativePaths {
  readonly responses?: string;
  readonly messages?: string;
  /** Up to the model's name. */
  readonly gemini?: string;
}

export interface OpenaiLayout {
  /** What stands between the address and `/chat/completions`. */
  readonly prefix: string;
  readonly operations: readonly Operation[];
  readonly formsAsJson?: Provider['formsAsJson'];
  /** Paths that are elsewhere, prefix included. */
  readonly elsewhere?: Partial<Readonly<Record<Operation, string>>>;
  readonly headers?: (channel: Channel) => Readonly<Record<string, string>>;
  readonly adjust?: Provider['adjust'];
  /** Whether it takes `top_k`, which is no field of OpenAI's: others refuse it, and it only colours an answer. */
  readonly takesTopK?: true;
  /** It answers in JSON, and knows no schemas: callers of other formats have theirs told in words. */
  readonly schemasInWords?: true;
  /** How it is told to think, where not in OpenAI's words. */
  readonly thinking?: SayThinking;
  /** Formats it speaks beside OpenAI's chat, as its public reference says. */
  readonly natives?: NativePaths;
}

const nativesOf = ({ responses, messages, gemini: geminiPath }: NativePaths): readonly Dialect[] => [
  ...(responses === undefined ? [] : [openaiResponses]),
  ...(messages === undefined ? [] : [anthropicMessages]),
  ...(geminiPath === undefined ? [] : [gemini]),
];

const pathOf = ({ prefix, elsewhere, natives = {} }: OpenaiLayout, call: Addressed): string => {
  const { operation, dialect, model, stream } = call;
  if (operation === 'chat' && dialect === openaiResponses.name)
    return natives.responses ?? `${prefix}/responses`;
  if (operation === 'chat' && dialect === anthropicMessages.name) return natives.messages ?? '/v1/messages';
  if (operation === 'chat' && dialect === gemini.name)
    return `${natives.gemini ?? ''}/${encodeURIComponent(model)}:${geminiMethod(stream)}`;
  const path = elsewhere?.[operation] ?? prefix + PATHS[operation];
  return operation === 'realtime' ? `${path}?model=${encodeURIComponent(model)}` : path;
};

const geminiMethod = (stream: boolean): string =>
  stream ? 'streamGenerateContent?alt=sse' : 'generateContent';

/** A provider whose paths, key and bodies are OpenAI's but for what the layout names. */
export const openaiLayout = (layout: OpenaiLayout): Provider => {
  const natives = nativesOf(layout.natives ?? {});
  return {
    dialect: chatOf(layout),
    ...(natives.length > 0 && { natives }),
    operations: layout.operations,
    ...(layout.formsAsJson !== undefined && { formsAsJson: layout.formsAsJson }),
    address: (channel, call) => ({
      url: joined(baseUrlOf(channel), layout.prefix, pathOf(layout, call)),
      headers: {
        ...contentHeaders(call),
        ...bearer(channel),
        ...keyOfFormat(channel, call),
        ...layout.headers?.(channel),
      },
    }),
    ...adjustOf(layout),
  };
};

/** OpenAI's chat as requests of other formats are written in it. */
const chatOf = ({ thinking, takesTopK, schemasInWords: inWords }: OpenaiLayout): Egress => {
  const chat = thinking === undefined ? openaiChat : chatThinking(thinking);
  const asking = inWords === true ? schemasInWords(chat) : namingJson(chat);
  return takesTopK === true ? asking : withoutTopK(asking);
};

export const withoutTopK = (chat: Egress): Egress => ({
  ...chat,
  writeRequest: (request) => {
    const { topK: _, ...rest } = request;
    return chat.writeRequest(rest);
  },
});

const adjustOf = ({ adjust, natives }: OpenaiLayout): Pick<Provider, 'adjust'> | undefined => {
  if (natives?.messages === undefined) return adjust === undefined ? undefined : { adjust };
  return {
    adjust: (body, call, channel) => {
      const adjusted = adjust?.(body, call, channel) ?? body;
      // What the end of a name asks for is the upstream's to say: these are its own names.
      return call.operation === 'chat' && call.dialect === anthropicMessages.name
        ? fillRequest(adjusted, call.model, { ...claudeSettings(call), readsSuffix: false })
        : adjusted;
    },
  };
};

/** The key once more where clients of a format put it, and what else those say in headers. */
const keyOfFormat = (channel: Channel, call: Addressed): Record<string, string> => {
  const key = channel.key.reveal().trim();
  if (call.dialect === anthropicMessages.name) return messagesHeaders(channel, call);
  return call.dialect === gemini.name && key !== '' ? { 'x-goog-api-key': key } : {};
};

/** Where the channel says it is, else where its type is; without what of `path`, which comes next, was pasted with it. */
export const baseUrlOf = (channel: Channel, path = ''): string => {
  const address = channel.baseUrl === '' ? (channelType(channel.type)?.baseUrl ?? '') : channel.baseUrl;
  return withoutStart(address.replace(/\/+$/, ''), path);
};

export const contentHeaders = (call: Addressed): Record<string, string> => ({
  'content-type': 'application/json',
  accept: call.stream ? 'text/event-stream' : 'application/json',
});

/** Ollama and servers of one's own often have no key. */
export const bearer = (channel: Channel): Record<string, string> => {
  const key = channel.key.reveal().trim();
  return key === '' ? {} : { authorization: `Bearer ${key}` };
};

const VERSION = /\/v\d+$/;

/**
 * People paste addresses with and without the prefix, or a part of it: it is never doubled. An address that ends with
 * another version than the prefix has one of its own, as those of coding plans do.
 */
const joined = (baseUrl: string, prefix: string, path: string): string => {
  const bare = withoutStart(baseUrl, prefix);
  if (bare !== baseUrl) return bare + path;
  if (!VERSION.test(baseUrl) || !VERSION.test(prefix)) return baseUrl + path;
  return path.startsWith(prefix) ? baseUrl + path.slice(prefix.length) : new URL(baseUrl).origin + path;
};
