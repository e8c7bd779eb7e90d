import type { Channel } from '#core/channel/channel.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound/outbound.ts';
import { type Fields, fieldsOf, textOf, numberOf } from '#core/json/fields.ts';
import { readFinishReason } from '../../dialects/openai/finish-reason.ts';
import { readUsage } from '../../dialects/openai/usage/usage.ts';
import { matchError, type ErrorPatterns } from '../shared/description/error-patterns.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { readJson } from '../shared/reply/synthetic-reply.ts';
import { textOnlyChat } from '../shared/chat/text-only-chat.ts';
import { type Piece, textOnlyEgress } from '../shared/chat/text-only-egress.ts';
import { provider } from '../shared/description/provider.ts';
import { noToken, TokenCache } from '../shared/account/token-cache.ts';
import { named } from '../shared/description/model-lists.ts';

/** Models whose name in the path is not their own name in lower case. */
const ENDPOINTS: Readonly<Record<string, string>> = {
  'ernie-4.0': 'completions_pro',
  'ernie-4.0-8k': 'completions_pro',
  'ernie-bot-4': 'completions_pro',
  'ernie-bot': 'completions',
  'ernie-3.5-8k': 'completions',
  'ernie-bot-8k': 'ernie_bot_8k',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
  'ernie-character-8k': 'ernie-char-8k',
  'bloomz-7b': 'bloomz_7b1',
};

const endpointOf = (model: string): string => {
  const name = model.toLowerCase();
  return encodeURIComponent((Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name] : undefined) ?? name);
};

/** Errors about the key, its access token, or the balance (wenxinworkshop, error codes). */
const ACCOUNT: ErrorPatterns = {
  key: /\[(?:13|14|15|100|110|111)\]/,
  billing: /\[(?:17|19)\]/,
  rateLimit: /\[(?:4|18|336501|336502)\]/,
  // Invalid, too long or filtered requests.
  request: /\[(?:33600[1-8]|336103|336104|17000[1-9])\]/,
};

const problemOf = (body: Fields): Piece['error'] => {
  if (body['error_code'] === undefined) return undefined;
  const code = JSON.stringify(body['error_code']);
  const message = textOf(body['error_msg']) ?? '';
  return { message, code: matchError(ACCOUNT, { status: 0, code, message }) ?? code };
};

/** Reads a frame or a whole reply: both have the same fields (cloud.baidu.com/doc/WENXINWORKSHOP, chat). */
const read = (body: Fields): Piece => {
  const error = problemOf(body);
  if (error !== undefined) return { error };
  const usage = readUsage(body['usage']);
  const isEnd = body['is_end'] ?? typeof body['result'] === 'string';
  const reason = body['is_truncated'] === true ? 'length' : readFinishReason(body['finish_reason']);
  return {
    id: textOf(body['id']) ?? '',
    text: textOf(body['result']) ?? '',
    ...(usage !== undefined && { usage }),
    // Baidu writes `normal` for `stop`.
    ...(isEnd === true && {
      finish: reason === undefined || reason === 'other' ? ('stop' as const) : reason,
    }),
  };
};

const tokens = new TokenCache();

const WORKSHOP = '/rpc/2.0/ai_custom/v1/wenxinworkshop';

const tokenKey = (channel: Channel): string =>
  `${baseUrlOf(channel, WORKSHOP)}\n${channel.key.reveal().trim()}`;

const withToken = async (
  request: OutboundRequest,
  channel: Channel,
  tools: AuthorizeTools,
): Promise<OutboundRequest> => {
  const base = baseUrlOf(channel, WORKSHOP);
  const token = await tokens.get(tokenKey(channel), tools.nowMs, (signal) =>
    fetchToken(base, channel, tools, signal),
  );
  return { ...request, url: `${request.url}?access_token=${encodeURIComponent(token)}` };
};

/** Baidu's first API. The two parts of the key are exchanged for an access token, which is sent in the URL. */
export const baidu = provider({
  types: [15],
  key: {
    authorize: withToken,
    forgetToken: (channel, nowMs) => tokens.forget(tokenKey(channel), nowMs),
  },
  dialect: textOnlyEgress({
    name: 'baidu',
    writeRequest: (request) => {
      const { system, turns } = textOnlyChat(request);
      return {
        messages: turns.map(({ role, text }) => ({ role, content: text })),
        ...(system !== '' && { system }),
        ...(request.stream && { stream: true }),
        ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
        // Baidu refuses 0.
        ...(request.temperature !== undefined && {
          temperature: Math.max(0.01, Math.min(1, request.temperature)),
        }),
        ...(request.topP !== undefined && { top_p: request.topP }),
        ...(request.stop !== undefined && { stop: request.stop }),
        ...(request.endUser !== undefined && { user_id: request.endUser }),
      };
    },
    readWhole: read,
    readRefusal: problemOf,
  }),
  root: (channel) => baseUrlOf(channel, WORKSHOP) + WORKSHOP,
  offers: {
    chat: { path: ({ model }) => `/chat/${endpointOf(model)}` },
    embeddings: {
      path: ({ model }) => `/embeddings/${endpointOf(model)}`,
      write: (body) => (typeof body['input'] === 'string' ? { ...body, input: [body['input']] } : body),
    },
  },
  // cloud.baidu.com/doc/WENXINWORKSHOP
  models: named(`ERNIE-4.0-8K ERNIE-4.0-Turbo-8K ERNIE-3.5-8K ERNIE-Speed-8K ERNIE-Speed-128K ERNIE-Lite-8K
    ERNIE-Tiny-8K ERNIE-Character-8K Embedding-V1 bge-large-zh bge-large-en tao-8k`),
});

/** Fetches an access token, valid for 30 days (cloud.baidu.com/doc/WENXINWORKSHOP, access_token: client credentials). */
const fetchToken = async (
  base: string,
  channel: Channel,
  { send, nowMs }: AuthorizeTools,
  signal: AbortSignal,
) => {
  const [id = '', secret = ''] = channel.key.reveal().trim().split('|');
  const query = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  });
  const reply = await send(
    {
      method: 'POST',
      url: `${base}/oauth/2.0/token?${query.toString()}`,
      headers: { accept: 'application/json' },
    },
    signal,
  );
  const body = fieldsOf(await readJson(reply));
  const token = textOf(body['access_token']);
  if (token !== undefined) return { token, expiresAtMs: nowMs + (numberOf(body['expires_in']) || 0) * 1000 };
  throw noToken(reply.status, body);
};
