import type { DialectName } from '../../src/server/core/chat/request.ts';

type Json = Readonly<Record<string, unknown>>;

/** A short chat request in a caller's format: its path and its body. */
export const callerRequest = (
  format: DialectName,
  model: string,
  { stream }: { readonly stream: boolean },
): { readonly path: string; readonly body: Json } => {
  const user = { role: 'user', content: 'hello' };
  switch (format) {
    case 'openai-chat':
      return { path: '/v1/chat/completions', body: { model, stream, max_tokens: 100, messages: [user] } };
    case 'openai-responses':
      return { path: '/v1/responses', body: { model, stream, max_output_tokens: 100, input: [user] } };
    case 'anthropic-messages':
      return { path: '/v1/messages', body: { model, stream, max_tokens: 100, messages: [user] } };
    case 'gemini': {
      const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
      return {
        path: `/v1beta/models/${model}:${method}`,
        body: { contents, generationConfig: { maxOutputTokens: 100 } },
      };
    }
  }
};
