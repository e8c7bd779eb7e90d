import type { Channel } from '#core/channel/channel.ts';
import type { Operation } from '#core/operation.ts';
import { anthropicMessages } from '../../../dialects/anthropic-messages/anthropic-messages.ts';
import { fillRequest } from '../../../dialects/anthropic-messages/request/fill-request.ts';
import type { Dialect, Egress } from '../../../dialects/dialect.ts';
import { gemini } from '../../../dialects/gemini/gemini.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../../dialects/openai-responses/openai-responses.ts';
import type { UpstreamCall } from '../../../dialects/upstream.ts';
import { type ChatDifferences, openaiChatWith } from '../chat/openai-chat-with.ts';
import { messagesHeaders } from '../models/claude-headers.ts';
import { claudeSettings } from '../models/claude-settings.ts';
import { baseUrlOf, withoutStart } from './base-url.ts';
import { addressed, type Description, type OfferedAt, ownPath, type Provider, provider } from './provider.ts';

/** OpenAI's path for each operation, after the prefix. */
export const PATHS: Readonly<Record<Operation, string>> = {
  chat: '/chat/completions',
  completions: '/completions',
  edits: '/edits',
  embeddings: '/embeddings',
  // Google's own embeddings have no path in this format.
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

/** Every operation OpenAI itself offers, except chat. */
export const openaiOffers = {
  completions: {},
  edits: {},
  embeddings: {},
  'responses-compact': {},
  images: {},
  'image-edits': {},
  'image-variations': {},
  speech: {},
  transcriptions: {},
  translations: {},
  moderations: {},
  realtime: {},
} as const satisfies Description['offers'];

/** The paths of formats other than OpenAI's chat, from the root of the address: prefix included. */
interface NativePaths {
  readonly responses?: string;
  readonly messages?: string;
  /** The part before the model's name. */
  readonly gemini?: string;
}

/** What makes a provider different from OpenAI. Paths in its offers include the prefix. */
interface OpenaiLayout extends ChatDifferences, Omit<Description, 'key' | 'dialect' | 'natives' | 'url'> {
  /** Default: bearer. */
  readonly key?: Description['key'];
  /** Default: OpenAI's chat with this layout's `ChatDifferences`. */
  readonly dialect?: Egress;
  /** The path between the address and `/chat/completions`. */
  readonly prefix: string | ((call: UpstreamCall) => string);
  /** Formats it accepts besides OpenAI's chat, from its public reference. */
  readonly natives?: NativePaths;
}

type UrlOf = (channel: Channel, call: UpstreamCall) => string;

const nativesOf = ({ responses, messages, gemini: geminiPath }: NativePaths): readonly Dialect[] => [
  ...(responses === undefined ? [] : [openaiResponses]),
  ...(messages === undefined ? [] : [anthropicMessages]),
  ...(geminiPath === undefined ? [] : [gemini]),
];

/** The path of a chat in one of the other formats; undefined for OpenAI's chat. */
const nativePath = (natives: NativePaths, prefix: string, call: UpstreamCall): string | undefined => {
  const { operation, dialect, model, stream } = call;
  if (operation !== 'chat') return undefined;
  if (dialect === openaiResponses.name) return natives.responses ?? `${prefix}/responses`;
  if (dialect === anthropicMessages.name) return natives.messages ?? '/v1/messages';
  if (dialect !== gemini.name) return undefined;
  const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return `${natives.gemini ?? ''}/${encodeURIComponent(model)}:${method}`;
};

/** A provider whose paths, key and bodies are OpenAI's, except for what the layout names. */
export const openaiLayout = (layout: OpenaiLayout): Provider => {
  const { prefix, natives: paths = {}, root, headers, thinking: _, ...described } = layout;
  const { takesTopK: _t, schemasInWords: _s, ...rest } = described;
  const natives = nativesOf(paths);
  const prefixOf = (call: UpstreamCall): string => (typeof prefix === 'string' ? prefix : prefix(call));
  const pathOf = (channel: Channel, call: UpstreamCall): string => {
    const native = nativePath(paths, prefixOf(call), call);
    if (native !== undefined) return native;
    const path = ownPath(layout, channel, call) ?? prefixOf(call) + PATHS[call.operation];
    return call.operation === 'realtime' ? `${path}?model=${encodeURIComponent(call.model)}` : path;
  };
  const urlOf: UrlOf = (channel, call) =>
    joined(root?.(channel, call) ?? baseUrlOf(channel), prefixOf(call), pathOf(channel, call));
  const isFixed =
    typeof prefix === 'string' && root === undefined && typeof layout.offers.chat?.path !== 'function';
  return provider({
    dialect: openaiChatWith(layout),
    key: 'bearer',
    ...rest,
    ...(natives.length > 0 && { natives }),
    ...(paths.messages !== undefined && { offers: withMessages(layout.offers) }),
    headers: (channel, call) => ({ ...keyOfFormat(channel, call), ...headers?.(channel, call) }),
    url: layout.offers.chat !== undefined && isFixed ? keptForChats(urlOf) : urlOf,
  });
};

/** Keeps the address of chats in OpenAI's format with the channel, where it depends on nothing else. */
const keptForChats = (urlOf: UrlOf): UrlOf => {
  const urls = new WeakMap<Channel, string>();
  return (channel, call) => {
    if (call.operation !== 'chat' || call.dialect !== openaiChat.name) return urlOf(channel, call);
    let url = urls.get(channel);
    if (url === undefined) urls.set(channel, (url = urlOf(channel, call)));
    return url;
  };
};

/** Fills in the fields that a chat in the Messages format must have. */
const withMessages = (offers: Description['offers']): Description['offers'] => ({
  ...offers,
  ...(offers.chat !== undefined && { chat: filled(offers.chat) }),
});

const filled = (chat: OfferedAt): OfferedAt => ({
  ...chat,
  write: (body, call, channel) => {
    const written = chat.write?.(body, call, channel) ?? body;
    // The model names are the upstream's own, so a suffix like `-thinking` is left for it to read.
    return call.dialect === anthropicMessages.name
      ? fillRequest(written, call.model, { ...claudeSettings(call), readsSuffix: false })
      : written;
  },
});

/** The headers that clients of a native format send: the key in that format's own header, and the format's version. */
const keyOfFormat = (channel: Channel, call: UpstreamCall): Record<string, string> => {
  const key = channel.key.reveal().trim();
  if (call.dialect === anthropicMessages.name) return messagesHeaders(channel, call);
  return call.dialect === gemini.name && key !== '' ? { 'x-goog-api-key': key } : {};
};

const VERSION = /\/v\d+$/;

/**
 * Operators paste addresses with the prefix, without it, or with a part of it: it is never doubled. An address that ends
 * with another version than the prefix keeps its own, as the addresses of coding plans do.
 */
const joined = (baseUrl: string, prefix: string, path: string): string => {
  const bare = withoutStart(baseUrl, prefix);
  if (bare !== baseUrl) return addressed(bare, path);
  if (!VERSION.test(baseUrl) || !VERSION.test(prefix)) return addressed(baseUrl, path);
  return path.startsWith(`${prefix}/`)
    ? baseUrl + path.slice(prefix.length)
    : addressed(withoutVersion(baseUrl, prefix), path);
};

/** What stands before the version and, as in the addresses of coding plans, before the folder that the prefix begins with. */
const withoutVersion = (baseUrl: string, prefix: string): string => {
  const root = baseUrl.replace(VERSION, '');
  const [, folder = ''] = prefix.split('/');
  const at = `${root}/`.indexOf(`/${folder}/`, 'https://'.length);
  return at === -1 ? root : root.slice(0, at);
};
