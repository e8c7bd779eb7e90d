import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { Relay, RelayOperation, TokenRead } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import { RelayBodies } from './relay-body.ts';
import { NodeReply } from './relay-reply.ts';
import { sendJson } from './send-json.ts';

type Route = (request: IncomingMessage, response: ServerResponse, arrival: Arrival, query: string) => void;

/** Paths below these belong to the relay, also where nothing answers there. */
const PREFIXES = ['/v1/', '/v1beta/', '/pg/', '/dashboard/billing/'] as const;

/** Calls the family knows and this relay does not offer. */
const UNOFFERED =
  /^\/v1\/(?:edits|moderations|images\/|audio\/|responses|messages|rerank|realtime|files|fine-tunes|fine_tuning|video|models\/.+:)|^\/v1beta\//;

const ENGINE_EMBEDDINGS = /^\/v1\/engines\/([^/]+)\/embeddings$/;

const CORS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
} as const;

export const isRelayPath = (path: string): boolean =>
  path === '/v1' || PREFIXES.some((prefix) => path.startsWith(prefix));

/** Answers everything under the relay's paths: calls, small reads, and what is not there. */
export const createRelayRoutes = (relay: Relay) => {
  const bodies = new RelayBodies();

  const serve =
    (operation: RelayOperation, playground: boolean, pathModel?: string): Route =>
    (request, response, arrival, query) => {
      let bytesHeld = 0;
      const call = {
        operation,
        headers: request.headers,
        queryKey: queryKey(query),
        pathModel,
        playground,
        requestId: arrival.requestId,
        ip: arrival.ip,
        path: pathOf(request),
        reply: new NodeReply(response, arrival.requestId),
        async readBody() {
          const bytes = await bodies.read(request);
          bytesHeld = bytes.length;
          return bytes;
        },
      };
      void relay.serve(call).finally(() => bodies.release(bytesHeld));
    };

  const read =
    (what: TokenRead['what'], model = ''): Route =>
    (request, response, arrival, query) => {
      const asked = {
        what,
        model,
        headers: request.headers,
        queryKey: queryKey(query),
        ip: arrival.ip,
        requestId: arrival.requestId,
      };
      allowAll(response, arrival);
      void relay.read(asked).then(({ status, body }) => sendJson(response, status, body));
    };

  const posts = new Map<string, Route>([
    ['/v1/chat/completions', serve('chat', false)],
    ['/v1/completions', serve('completions', false)],
    ['/v1/embeddings', serve('embeddings', false)],
    ['/pg/chat/completions', serve('chat', true)],
  ]);
  const gets = new Map<string, Route>([
    ['/v1/models', read('models')],
    ['/v1/dashboard/billing/subscription', read('subscription')],
    ['/dashboard/billing/subscription', read('subscription')],
    ['/v1/dashboard/billing/usage', read('usage')],
    ['/dashboard/billing/usage', read('usage')],
  ]);

  const find = (method: string, path: string): Route | undefined => {
    if (method === 'POST') {
      const fixed = posts.get(path);
      if (fixed !== undefined) return fixed;
      const engine = ENGINE_EMBEDDINGS.exec(path)?.[1];
      return engine === undefined ? undefined : serve('embeddings', false, decoded(engine));
    }
    if (method !== 'GET') return undefined;
    const fixed = gets.get(path);
    if (fixed !== undefined || !path.startsWith('/v1/models/')) return fixed;
    return read('model', decoded(path.slice('/v1/models/'.length)));
  };

  return (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    path: string,
    query: string,
  ): void => {
    const method = request.method ?? 'GET';
    const route = find(method, path);
    if (route !== undefined) {
      route(request, response, arrival, query);
      return;
    }
    allowAll(response, arrival);
    if (method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
      return;
    }
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
};

const allowAll = (response: ServerResponse, { requestId }: Arrival): void => {
  response.setHeader(REQUEST_ID_HEADER, requestId);
  response.setHeader('Access-Control-Allow-Origin', '*');
};

const pathOf = ({ url = '/' }: IncomingMessage): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
};

const queryKey = (query: string): string | undefined =>
  query === '' ? undefined : (new URLSearchParams(query).get('key') ?? undefined);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
