import { geminiPage } from '../../testing/chat-pages.ts';
import type { OtherPaths } from '../../testing/other-paths.ts';
import type { Json, Wire } from '../../testing/wire.ts';

const googleError = (status: number, word: string, message: string, details: readonly Json[] = []) => ({
  status,
  body: { error: { code: status, message, status: word, details } },
});

const geminiKind = (type: number, name: string): Wire => ({
  type,
  name,
  reference: 'ai.google.dev/api/generate-content; troubleshooting',
  key: 'google-key',
  model: 'gemini-2.5-flash',
  chat: '/v1beta/models/gemini-2.5-flash:generateContent',
  streamed: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  headers: { 'x-goog-api-key': 'google-key' },
  asks: { contents: [{ role: 'user' }], generationConfig: { maxOutputTokens: 100 } },
  answer: geminiPage,
  offersTools: true,
  tellsUsage: true,
  badKey: googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
  ]),
  rateLimit: googleError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '48s' },
  ]),
  models: {
    path: '/v1beta/models?pageSize=1000',
    body: { models: [{ name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent'] }] },
    names: ['gemini-2.5-flash'],
  },
});

export const wires: readonly Wire[] = [geminiKind(24, 'Gemini'), geminiKind(11, 'PaLM')];

export const otherPaths: OtherPaths = {
  11: { embeddings: '/v1beta/openai/embeddings', images: '/v1beta/openai/images/generations' },
  24: { embeddings: '/v1beta/openai/embeddings', images: '/v1beta/openai/images/generations' },
};
