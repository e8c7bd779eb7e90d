import type { IncomingHttpHeaders } from 'node:http';
import type { DialectName } from '#core/chat/request.ts';
import type { ConversationCall, KeptCall, TokenRead } from '../../relay/calls.ts';
import type { CallRoute } from './front-call.ts';

/** Every path below these belongs to the relay, even if it is not found. */
const PREFIXES = ['/v1/', '/v1beta/', '/v1alpha/', '/upload/v1', '/pg/', '/dashboard/billing/'] as const;

/** The same without anything below them, as programs send their base address alone. */
const BASES = /^\/(?:v1|v1beta|v1alpha|pg|dashboard\/billing)$/;

/** Uses a relay key although it is under `/api`. */
const KEYED = /^\/api\/(?:usage|log)\/token\/?$/;

/** Whether the relay answers this path, if only with 404. */
export const isRelayPath = (path: string): boolean =>
  BASES.test(path) || PREFIXES.some((prefix) => path.startsWith(prefix)) || KEYED.test(path);

/** Calls that are not chats, with the model OpenAI's reference names as the default (November 2026). */
const PLAIN_CALLS: Readonly<Record<string, Pick<CallRoute, 'operation' | 'pathModel'>>> = {
  '/v1/edits': { operation: 'edits' },
  '/v1/responses/compact': { operation: 'responses-compact' },
  '/v1/images/generations': { operation: 'images', pathModel: 'gpt-image-1.5' },
  '/v1/images/edits': { operation: 'image-edits', pathModel: 'gpt-image-1.5' },
  '/v1/images/variations': { operation: 'image-variations', pathModel: 'dall-e-2' },
  '/v1/audio/speech': { operation: 'speech', pathModel: 'tts-1' },
  '/v1/audio/transcriptions': { operation: 'transcriptions', pathModel: 'whisper-1' },
  '/v1/audio/translations': { operation: 'translations', pathModel: 'whisper-1' },
  '/v1/moderations': { operation: 'moderations', pathModel: 'omni-moderation-latest' },
  '/v1/rerank': { operation: 'rerank' },
};

/** The calls whose path is always the same. */
export const calls: ReadonlyMap<string, CallRoute> = new Map<string, CallRoute>([
  ['/v1/chat/completions', { operation: 'chat', dialect: 'openai-chat', playground: false }],
  ['/v1/responses', { operation: 'chat', dialect: 'openai-responses', playground: false }],
  ['/v1/messages', { operation: 'chat', dialect: 'anthropic-messages', playground: false }],
  ['/v1/completions', { operation: 'completions', dialect: 'openai-chat', playground: false }],
  ['/v1/embeddings', { operation: 'embeddings', dialect: 'openai-chat', playground: false }],
  ...Object.entries(PLAIN_CALLS).map(
    ([path, call]) => [path, { dialect: 'openai-chat', playground: false, ...call }] as const,
  ),
  ['/pg/chat/completions', { operation: 'chat', dialect: 'openai-chat', playground: true }],
  ['/pg/responses', { operation: 'chat', dialect: 'openai-responses', playground: true }],
  ['/pg/messages', { operation: 'chat', dialect: 'anthropic-messages', playground: true }],
]);

const ENGINE_EMBEDDINGS = /^\/v1\/engines\/([^/]+)\/embeddings$/;
/** `models/NAME:METHOD`, where a name may contain slashes and colons. Some HTTP libraries escape the colon. */
const MODEL_METHOD = /^\/(v1|v1beta|v1alpha|pg)\/models\/(.+)(?::|%3[Aa])([A-Za-z]+)$/;

/** The route of a `POST` to this path; undefined if there is none. */
export const callAt = (path: string, query: string): CallRoute | undefined => {
  const fixed = calls.get(path);
  if (fixed !== undefined) return fixed;
  const [, root, model = '', method] = MODEL_METHOD.exec(path) ?? [];
  if (method !== undefined) return geminiCall(decoded(model), method, root === 'pg', query);
  const engine = ENGINE_EMBEDDINGS.exec(path)?.[1];
  return engine === undefined
    ? undefined
    : { operation: 'embeddings', dialect: 'openai-chat', playground: false, pathModel: decoded(engine) };
};

const VERSION = /^v1(?:beta|alpha)?$/;
/** Longer paths are not searched. */
const LONGEST_MEANT = 300;
/** Gemini's calls belong to `v1beta`. A list of models is OpenAI's if the path does not say otherwise. */
const BASES_OF_CALLS = ['', '/v1beta', '/v1'] as const;
const BASES_OF_READS = ['', '/v1', '/v1beta'] as const;

/** Whether this is a call or a read about models, which programs request below the base address they are given. */
const isCall = (method: string, path: string): boolean => {
  if (method === 'POST') return callAt(path, '') !== undefined;
  const what = method === 'GET' ? readAt(path)?.what : undefined;
  return what === 'models' || what === 'model';
};

/**
 * The path that a request to an unknown path was meant for, if it ends like a call: `/v1` was left out of the program's
 * base address or written twice, or there is a slash too many. Undefined if it is another call of the formats
 * (`/v1/threads/ID/messages`).
 */
export const meantPath = (method: string, path: string): string | undefined => {
  if (path.length > LONGEST_MEANT || isCall(method, path)) return undefined;
  const steps = path.split('/').filter((step) => step !== '');
  const bases = method === 'POST' ? BASES_OF_CALLS : BASES_OF_READS;
  for (const from of steps.keys()) {
    const rest = `/${steps.slice(from).join('/')}`;
    const base = bases.find((one) => isCall(method, one + rest));
    if (base !== undefined) return base + rest;
    // The program has added a version to a base address that already had one.
    if (VERSION.test(steps[from] ?? '') && VERSION.test(steps[from + 1] ?? '')) continue;
    if (isUnoffered(rest) || isUnoffered(`/v1${rest}`)) return undefined;
  }
  return undefined;
};

/** Whether a request to this path outside the relay was meant for it. */
export const isMisplaced = (method: string, path: string): boolean =>
  (!path.startsWith('/api/') || path.startsWith('/api/v1/')) && meantPath(method, path) !== undefined;

const geminiCall = (
  pathModel: string,
  method: string,
  playground: boolean,
  query: string,
): CallRoute | undefined => {
  const route = { operation: 'chat', dialect: 'gemini', playground, pathModel } as const;
  if (method === 'generateContent') return { ...route, pathStream: false };
  if (method === 'embedContent') return { ...route, operation: 'embed-content', pathStream: false };
  if (method === 'batchEmbedContents')
    return { ...route, operation: 'batch-embed-contents', pathStream: false };
  if (method !== 'streamGenerateContent') return undefined;
  const asEvents = new URLSearchParams(query).get('alt') === 'sse';
  return { ...route, pathStream: true, framing: asEvents ? 'events' : 'list' };
};

export type Read = Pick<TokenRead, 'what' | 'model'>;

const reads = new Map<string, Read>([
  ['/v1/models', { what: 'models', model: '' }],
  ['/v1beta/models', { what: 'models', model: '' }],
  ['/v1/dashboard/billing/subscription', { what: 'subscription', model: '' }],
  ['/dashboard/billing/subscription', { what: 'subscription', model: '' }],
  ['/v1/dashboard/billing/usage', { what: 'usage', model: '' }],
  ['/dashboard/billing/usage', { what: 'usage', model: '' }],
  ['/api/usage/token', { what: 'token-usage', model: '' }],
  ['/api/usage/token/', { what: 'token-usage', model: '' }],
  ['/api/log/token', { what: 'token-log', model: '' }],
  ['/api/log/token/', { what: 'token-log', model: '' }],
]);

const ONE_MODEL = /^\/v1(?:beta)?\/models\/([^:]+(?::[^/]*)?)$/;

/** The route of a `GET` that reads with a token; undefined if there is none. */
export const readAt = (path: string): Read | undefined => {
  const fixed = reads.get(path);
  const model = fixed === undefined ? ONE_MODEL.exec(path)?.[1] : undefined;
  return model === undefined ? fixed : { what: 'model', model: decoded(model) };
};

export type Kept = Pick<KeptCall, 'operation' | 'responseId'>;

const KEPT = /^\/v1\/responses\/([^/]+)(\/input_items|\/cancel)?$/;
/** By method and what follows the id of the response. */
export const KEPT_OPERATIONS: Readonly<Record<string, Kept['operation']>> = {
  'GET ': 'read',
  'DELETE ': 'delete',
  'GET /input_items': 'input-items',
  'POST /cancel': 'cancel',
};

/** The operation on a kept response; undefined for any other path. */
export const keptAt = (method: string, path: string): Kept | undefined => {
  const [, responseId, rest = ''] = KEPT.exec(path) ?? [];
  const operation = KEPT_OPERATIONS[`${method} ${rest}`];
  if (responseId === undefined || operation === undefined) return undefined;
  return { operation, responseId: decoded(responseId) };
};

export type Conversation = Pick<ConversationCall, 'operation' | 'conversationId' | 'itemId'>;

const CONVERSATION = /^\/v1\/conversations(?:\/([^/]+))?(\/items)?(?:\/([^/]+))?$/;
/** By method and what follows `/v1/conversations`. */
export const CONVERSATION_OPERATIONS: Readonly<Record<string, Conversation['operation']>> = {
  'POST ': 'create',
  'GET /ID': 'read-conversation',
  'POST /ID': 'change',
  'DELETE /ID': 'delete-conversation',
  'GET /ID/items': 'items',
  'POST /ID/items': 'add-items',
  'GET /ID/items/ID': 'read-item',
  'DELETE /ID/items/ID': 'delete-item',
};

/** The operation on a kept conversation; undefined for any other path. */
export const conversationAt = (method: string, path: string): Conversation | undefined => {
  const [whole, conversationId, items = '', itemId] = CONVERSATION.exec(path) ?? [];
  if (whole === undefined) return undefined;
  const shape = `${conversationId === undefined ? '' : '/ID'}${items}${itemId === undefined ? '' : '/ID'}`;
  const operation = CONVERSATION_OPERATIONS[`${method} ${shape}`];
  if (operation === undefined) return undefined;
  return {
    operation,
    conversationId: decoded(conversationId ?? ''),
    itemId: itemId === undefined ? undefined : decoded(itemId),
  };
};

/** The caller's format, from the path, else from its version header or the way it sends its key. */
export const dialectAt = (path: string, headers: IncomingHttpHeaders, queryKey?: string): DialectName => {
  if (/^\/(?:v1(?:beta|alpha)|upload)(?:\/|$)/.test(path) || MODEL_METHOD.test(path)) return 'gemini';
  if (/^\/(?:v1|pg)\/messages(?:\/|$)/.test(path)) return 'anthropic-messages';
  if (/^\/(?:v1|pg)\/responses(?:\/|$)/.test(path)) return 'openai-responses';
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages';
  if (headers.authorization !== undefined) return 'openai-chat';
  if (headers['x-api-key'] !== undefined) return 'anthropic-messages';
  return headers['x-goog-api-key'] !== undefined || queryKey !== undefined ? 'gemini' : 'openai-chat';
};

/** Other products of OpenAI and Anthropic. */
const OTHER_PRODUCTS = [
  'agents',
  'chatkit',
  'complete',
  'content_provenance_checks',
  'decisions',
  'deployments',
  'deployment_runs',
  'dreams',
  'environments',
  'live',
  'memory_stores',
  'organization',
  'organizations',
  'projects',
  'safety',
  'sessions',
  'tunnels',
  'user_profiles',
  'vaults',
  'webhook_endpoints',
  'webhook_event_types',
];

/** Calls that the formats define but this relay does not offer. */
const UNOFFERED = new RegExp(
  `^/v1/(?:${[
    'images/',
    'audio/',
    'chat/completions(?:/|$)',
    'responses',
    'messages',
    'realtime',
    'files',
    'uploads',
    'batches',
    'vector_stores',
    'containers',
    'assistants',
    'threads',
    'evals',
    'skills',
    'fine-tunes',
    'fine_tuning',
    'video',
    'cachedContents',
    'fileSearchStores',
    'tunedModels',
    'interactions',
    'models/.+:',
    ...OTHER_PRODUCTS.map((name) => `${name}(?:/|$)`),
  ].join('|')})|^/v1(?:beta|alpha)/|^/upload/`,
);

/** Whether a path is such a call. */
export const isUnoffered = (path: string): boolean => UNOFFERED.test(path);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
