import type { ChatRequest, DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import type { Exchange } from './recordings.ts';

type Json = Readonly<Record<string, unknown>>;

const PLAIN: ChatRequest = {
  model: 'm',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  maxOutputTokens: 4096,
  extras: {},
};

/** The recorded request as a `ChatRequest`; undefined if none was recorded or our reader refuses it. */
export const recordedRequest = ({ format, request }: Exchange): ChatRequest | undefined => {
  if (request === undefined) return undefined;
  try {
    return chatDialects[format].readRequest(request);
  } catch {
    return undefined;
  }
};

/**
 * The request that a caller of the format `caller` sends to get this answer: the recorded one if the format can express
 * it, else a minimal one. Its model is unique to the exchange and so selects the channel that replays it.
 */
export const requestBy = (caller: DialectName, exchange: Exchange): Json => {
  const { model, stream } = exchange;
  const mode = { model, stream };
  if (caller === exchange.format && exchange.request !== undefined) return { ...exchange.request, ...mode };
  const recorded = recordedRequest(exchange);
  const { onlyIn: _, ...request } = { ...(recorded ?? PLAIN), ...mode };
  const expressed = (body: ChatRequest): Json | undefined => {
    try {
      const written = chatDialects[caller].writeRequest(body);
      // The upstream's format must be able to express it too; otherwise the gateway would refuse it before any answer.
      const read = chatDialects[caller].readRequest({ ...written, ...mode });
      chatDialects[exchange.format].writeRequest(read);
      return written;
    } catch {
      return undefined;
    }
  };
  const written = expressed(request) ?? expressed({ ...PLAIN, ...mode }) ?? {};
  return { ...written, ...mode };
};

/** The path a caller of this format sends a request to, and its body without what the path already says. */
export const pathAndBody = (
  caller: DialectName,
  body: Json,
): { readonly path: string; readonly body: Json } => {
  switch (caller) {
    case 'openai-chat': {
      const withUsage = body['stream'] === true ? { stream_options: { include_usage: true } } : {};
      return { path: '/v1/chat/completions', body: { ...withUsage, ...body } };
    }
    case 'openai-responses':
      return { path: '/v1/responses', body };
    case 'anthropic-messages':
      return { path: '/v1/messages', body: { max_tokens: 4096, ...body } };
    case 'gemini': {
      const { model, stream, ...rest } = body;
      const method = stream === true ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return { path: `/v1beta/models/${String(model)}:${method}`, body: rest };
    }
  }
};
