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

/** The recorded request in our own words; undefined where there is none, or it was refused for a good reason. */
export const recordedRequest = ({ format, request }: Exchange): ChatRequest | undefined => {
  if (request === undefined) return undefined;
  try {
    return chatDialects[format].readRequest(request);
  } catch {
    return undefined;
  }
};

/**
 * What a caller of `caller`'s format sends to get this answer: the recorded request where that format can say it, else
 * a plain one. The model is the exchange's own, which has a channel of its own.
 */
export const requestBy = (caller: DialectName, exchange: Exchange): Json => {
  const { model, stream } = exchange;
  const told = { model, stream };
  if (caller === exchange.format && exchange.request !== undefined) return { ...exchange.request, ...told };
  const recorded = recordedRequest(exchange);
  const { onlyIn: _, ...request } = { ...(recorded ?? PLAIN), ...told };
  const sayable = (body: ChatRequest): Json | undefined => {
    try {
      const written = chatDialects[caller].writeRequest(body);
      // It must also come out on the other side, or only the request would be tested here.
      const read = chatDialects[caller].readRequest({ ...written, ...told });
      chatDialects[exchange.format].writeRequest(read);
      return written;
    } catch {
      return undefined;
    }
  };
  const written = sayable(request) ?? sayable({ ...PLAIN, ...told }) ?? {};
  return { ...written, ...told };
};

/** Where a caller of this format sends it, and what of it stands in the body. */
export const pathAndBody = (
  caller: DialectName,
  body: Json,
): { readonly path: string; readonly body: Json } => {
  switch (caller) {
    case 'openai-chat': {
      const beside = body['stream'] === true ? { stream_options: { include_usage: true } } : {};
      return { path: '/v1/chat/completions', body: { ...beside, ...body } };
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
