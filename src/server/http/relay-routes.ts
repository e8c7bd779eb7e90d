import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import type { Relay, TokenCount, TokenRead } from '../relay/ports.ts';
import type { RelayHandler } from './front-door-deps.ts';
import { createKeptRoutes } from './kept-routes.ts';
import { CountedBody, type RelayBodies } from './relay-body.ts';
import { countAt } from './relay-count.ts';
import { FrontCall, queryKey } from './front-call.ts';
import { callAt, dialectAt, isUnoffered, readAt } from './relay-paths.ts';
import { NodeReply } from './relay-reply.ts';
import { REQUEST_ID_HEADERS } from './request-id-headers.ts';
import { sendJson } from './send-json.ts';

const CORS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
} as const;

/** Answers everything under the relay's paths: calls, small reads, and what is not there. */
export const createRelayRoutes = (relay: Relay, bodies: RelayBodies): RelayHandler => {
  const serveKept = createKeptRoutes(relay, bodies);

  const read = (request: TokenRead, response: ServerResponse): void =>
    void relay.read(request).then(({ status, body, headers }) => sendJson(response, status, body, headers));

  const count = (request: Omit<TokenCount, 'readBody'>, held: CountedBody, response: ServerResponse): void =>
    void relay.count({ ...request, readBody: (userId) => held.read(userId) }).then((answer) => {
      const { status, body, headers } = answer;
      held.release();
      sendJson(response, status, body, headers);
    });

  return (request, response, arrival, path, query) => {
    const { method = 'GET', headers } = request;
    const { requestId, ip } = arrival;
    const route = method === 'POST' ? callAt(path, query) : undefined;
    if (route !== undefined) {
      const body = new CountedBody(bodies, request, arrival);
      const reply = new NodeReply(response, requestId);
      const call = new FrontCall(route, arrival, headers, path, query, body, reply);
      void relay.serve(call).then(() => body.release());
      return;
    }
    if (serveKept(request, response, arrival, path, query)) return;
    for (const name of REQUEST_ID_HEADERS) response.setHeader(name, requestId);
    response.setHeader('Access-Control-Allow-Origin', '*');
    const key = queryKey(query);
    const common = { headers, queryKey: key, ip, requestId };
    const counted = method === 'POST' ? countAt(path) : undefined;
    const asked = method === 'GET' ? readAt(path) : undefined;
    if (counted !== undefined)
      count({ ...counted, ...common }, new CountedBody(bodies, request, arrival), response);
    else if (asked !== undefined)
      read({ ...asked, ...common, query, dialect: dialectAt(path, headers, key) }, response);
    else if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else refuseUnknown(request, response, path, requestId);
  };
};

const refuseUnknown = (
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  path: string,
  requestId: string,
): void => {
  const unoffered = isUnoffered(path);
  const message = unoffered ? 'API not implemented' : `Invalid URL (${method} ${path})`;
  const name = dialectAt(path, headers);
  response.setHeader('x-should-retry', 'false');
  if (!name.startsWith('openai-')) {
    const error = new AppError(unoffered ? 'not_implemented' : 'not_found', message);
    const { status, body } = chatDialects[name].writeError(error, requestId);
    return sendJson(response, status, body);
  }
  sendJson(response, unoffered ? 501 : 404, {
    error: {
      message,
      type: unoffered ? 'new_api_error' : 'invalid_request_error',
      param: '',
      code: unoffered ? 'api_not_implemented' : '',
    },
  });
};
