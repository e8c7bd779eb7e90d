import type { Rig } from './rig.ts';

const REQUESTS = {
  responses: ['/v1/responses', { input: 'hi' }],
  messages: ['/v1/messages', { max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }],
  gemini: ['/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
  embeddings: ['/v1/embeddings', { input: 'hi' }],
  moderations: ['/v1/moderations', { input: 'hi' }],
  rerank: ['/v1/rerank', { query: 'a', documents: ['b', 'c'] }],
  speech: ['/v1/audio/speech', { input: 'hi', voice: 'alloy' }],
  images: ['/v1/images/generations', { prompt: 'a cat' }],
} as const;

/** One call of an operation, `beside` over a short default. */
export const operationRequest = (
  rig: Rig,
  operation: keyof typeof REQUESTS,
  beside: Readonly<Record<string, unknown>>,
): Promise<Response> => {
  const [path, body] = REQUESTS[operation];
  return fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...(operation !== 'gemini' && { model: 'm' }), ...body, ...beside }),
  });
};
