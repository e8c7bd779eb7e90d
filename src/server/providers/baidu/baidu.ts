import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { AuthorizeTools, OutboundRequest } from '#core/outbound.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { readFinishReason } from '../../dialects/openai/finish-reason.ts';
import { readUsage } from '../../dialects/openai/usage.ts';
import { accountCode, type AccountWords } from '../account-words.ts';
import { readJson } from '../made-reply.ts';
import { baseUrlOf, contentHeaders } from '../openai-layout.ts';
import { plainChat } from '../plain-chat.ts';
import { plainEgress, type Piece } from '../plain-egress.ts';
import type { Provider } from '../provider.ts';
import { TokenCache } from '../token-cache.ts';

/** The names some models have in the path; every other is its own name in small letters. */
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
  return encodeURIComponent(ENDPOINTS[name] ?? name);
};

/** Trouble with the key, with the token that was got for it, or with what pays (wenxinworkshop, error codes). */
const ACCOUNT: AccountWords = {
  key: /\[(?:13|14|15|100|110|111)\]/,
  money: /\[(?:17|19)\]/,
  tooOften: /\[(?:4|18|336501|336502)\]/,
  // Words that are wrong, too long or filtered.
  caller: /\[(?:33600[1-8]|336103|336104|17000[1-9])\]/,
};

const problemOf = (body: Fields): Piece['error'] => {
  if (body['error_code'] === undefined) return undefined;
  const code = JSON.stringify(body['error_code']);
  const message = textOf(body['error_msg']) ?? '';
  return { message, code: accountCode(ACCOUNT, { status: 0, code, message }) ?? code };
};

/** Source: cloud.baidu.com/doc/WENXINWORKSHOP, chat: a frame and a whole reply have the same fields. */
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
    // It says `normal` where others say `stop`.
    ...(isEnd === true && {
      finish: reason === undefined || reason === 'other' ? ('stop' as const) : reason,
    }),
  };
};

const tokens = new TokenCache();

const WORKSHOP = '/rpc/2.0/ai_custom/v1/wenxinworkshop';

/** Baidu's first interface: the key's two halves are exchanged for a token that stands in the address. */
export const baidu: Provider = {
  dialect: plainEgress({
    name: 'baidu',
    writeRequest: (request) => {
      const { system, turns } = plainChat(request);
      return {
        messages: turns.map(({ role, text }) => ({ role, content: text })),
        ...(system !== '' && { system }),
        ...(request.stream && { stream: true }),
        ...(request.maxOutputTokens !== undefined && { max_output_tokens: request.maxOutputTokens }),
        // It refuses 0.
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
  operations: ['chat', 'embeddings'],
  address: (channel, call) => {
    const kind = call.operation === 'embeddings' ? 'embeddings' : 'chat';
    return {
      url: `${baseUrlOf(channel, WORKSHOP)}${WORKSHOP}/${kind}/${endpointOf(call.model)}`,
      headers: contentHeaders(call),
    };
  },
  adjust: (body, call) =>
    call.operation === 'embeddings' && typeof body['input'] === 'string'
      ? { ...body, input: [body['input']] }
      : body,
  authorize: async (request, channel, tools): Promise<OutboundRequest> => {
    const key = channel.key.reveal().trim();
    const base = baseUrlOf(channel, WORKSHOP);
    const token = await tokens.get(`${base}\n${key}`, tools.nowMs, () => fetchToken(base, channel, tools));
    return { ...request, url: `${request.url}?access_token=${encodeURIComponent(token)}` };
  },
};

/** Source: cloud.baidu.com/doc/WENXINWORKSHOP, access_token: client credentials; it lasts 30 days. */
const fetchToken = async (base: string, channel: Channel, { send, nowMs, signal }: AuthorizeTools) => {
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
  if (token !== undefined) return { token, expiresAtMs: nowMs + (Number(body['expires_in']) || 0) * 1000 };
  const said = textOf(body['error_description']) ?? '';
  throw new AppError('upstream_failed', 'the upstream gave no access token for the key', {
    upstream: { status: reply.status, code: 'invalid_api_key', message: said },
  });
};
