import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { Relay, TokenRead } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import { RelayBodies } from './relay-body.ts';
import { type CallRoute, NodeCall, queryKey } from './relay-call.ts';
import { sendJson } from './send-json.ts';

/** Paths below these belong to the relay, also where nothing answers there. */
const PREFIXES = ['/v1/', '/v1beta/', '/pg/', '/dashboard/billing/'] as const;

export const isRelayPath = (path: string): boolean =>
  path === '/v1' || PREFIXES.some((prefix) => path.startsWith(prefix));

const calls = new Map<string, CallRoute>([
  ['/v1/chat/completions', { operation: 'chat', playground: false, pathModel: undefined }],
  ['/v1/completions', { operation: 'completions', playground: false, pathModel: undefined }],
  ['/v1/embeddings', { operation: 'embeddings', playground: false, pathModel: undefined }],
  ['/pg/chat/completions', { operation: 'chat', playground: true, pathModel: undefined }],
]);

const ENGINE_EMBEDDINGS = /^\/v1\/engines\/([^/]+)\/embeddings$/;

const callAt = (path: string): CallRoute | undefined => {
  const engine = ENGINE_EMBEDDINGS.exec(path)?.[1];
  return engine === undefined
    ? undefined
    : { operation: 'embeddings', playground: false, pathModel: decoded(engine) };
};

type Read = Pick<TokenRead, 'what' | 'model'>;

const reads = new Map<string, Read>([
  ['/v1/models', { what: 'models', model: '' }],
  ['/v1/dashboard/billing/subscription', { what: 'subscription', model: '' }],
  ['/dashboard/billing/subscription', { what: 'subscription', model: '' }],
  ['/v1/dashboard/billing/usage', { what: 'usage', model: '' }],
  ['/dashboard/billing/usage', { what: 'usage', model: '' }],
]);

const MODEL_PREFIX = '/v1/models/';

const readAt = (path: string): Read | undefined => {
  const fixed = reads.get(path);
  if (fixed !== undefined || !path.startsWith(MODEL_PREFIX)) return fixed;
  return { what: 'model', model: decoded(path.slice(MODEL_PREFIX.length)) };
};

/** Calls the family knows and this relay does not offer. */
const UNOFFERED = new RegExp(
  `^/v1/(?:${[
    'edits',
    'moderations',
    'images/',
    'audio/',
    'responses',
    'messages',
    'rerank',
    'realtime',
    'files',
    'fine-tunes',
    'fine_tuning',
    'video',
    'models/.+:',
  ].join('|')})|^/v1beta/`,
);

const CORS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
} as const;

/** Answers everything under the relay's paths: calls, small reads, and what is not there. */
export const createRelayRoutes = (relay: Relay) => {
  const bodies = new RelayBodies();

  const read = (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    asked: Read,
    query: string,
  ): void => {
    const { requestId, ip } = arrival;
    void relay
      .read({ ...asked, headers: request.headers, queryKey: queryKey(query), ip, requestId })
      .then(({ status, body }) => sendJson(response, status, body));
  };

  return (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    path: string,
    query: string,
  ): void => {
    const { method = 'GET' } = request;
    const route = method === 'POST' ? (calls.get(path) ?? callAt(path)) : undefined;
    if (route !== undefined) {
      const call = new NodeCall(route, request, response, arrival, path, query, bodies);
      void relay.serve(call).then(call.release);
      return;
    }
    response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
    response.setHeader('Access-Control-Allow-Origin', '*');
    const asked = method === 'GET' ? readAt(path) : undefined;
    if (asked !== undefined) read(request, response, arrival, asked, query);
    else if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else refuseUnknown(response, method, path);
  };
};

const refuseUnknown = (response: ServerResponse, method: string, path: string): void => {
  const unoffered = UNOFFERED.test(path);
  sendJson(response, unoffered ? 501 : 404, {
    error: {
      message: unoffered ? 'API not implemented' : `Invalid URL (${method} ${path})`,
      type: unoffered ? 'new_api_error' : 'invalid_request_error',
      param: '',
      code: unoffered ? 'api_not_implemented' : '',
    },
  });
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
