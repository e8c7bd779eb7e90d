import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../dialects/chat-dialects.ts';
import type { Relay } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import type { RelayBodies } from './relay-body.ts';
import { serveKept } from './kept-routes.ts';
import { countAt, type CountRoute } from './relay-count.ts';
import { NodeCall, queryKey } from './relay-call.ts';
import { callAt, dialectAt, isUnoffered, type Read, readAt } from './relay-paths.ts';
import { REQUEST_ID_HEADERS } from './request-id-headers.ts';
import { sendJson } from './send-json.ts';

const CORS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
} as const;

/** Answers everything under the relay's paths: calls, small reads, and what is not there. */
export const createRelayRoutes = (relay: Relay, bodies: RelayBodies) => {
  const read = (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    asked: Read,
    path: string,
    query: string,
  ): void => {
    const { requestId, ip } = arrival;
    const { headers } = request;
    const key = queryKey(query);
    const dialect = dialectAt(path, headers, key);
    void relay
      .read({ ...asked, dialect, headers, queryKey: key, ip, requestId })
      .then(({ status, body }) => sendJson(response, status, body));
  };

  const count = (
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, ip }: Arrival,
    route: CountRoute,
    query: string,
  ): void => {
    let heldBytes = 0;
    const readBody = async (): Promise<Buffer> => {
      const bytes = await bodies.read(request);
      heldBytes = bytes.length;
      return bytes;
    };
    const { headers } = request;
    void relay
      .count({ ...route, headers, queryKey: queryKey(query), ip, requestId, readBody })
      .then(({ status, body }) => {
        bodies.release(heldBytes);
        sendJson(response, status, body);
      });
  };

  return (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    path: string,
    query: string,
  ): void => {
    const { method = 'GET' } = request;
    const route = method === 'POST' ? callAt(path, query) : undefined;
    const counted = method === 'POST' && route === undefined ? countAt(path) : undefined;
    if (route !== undefined) {
      const call = new NodeCall(route, request, response, arrival, path, query, bodies);
      void relay.serve(call).then(call.release);
      return;
    }
    if (serveKept(relay, bodies, request, response, arrival, path, query)) return;
    for (const name of REQUEST_ID_HEADERS) response.setHeader(name, arrival.requestId);
    response.setHeader('Access-Control-Allow-Origin', '*');
    const asked = method === 'GET' ? readAt(path) : undefined;
    if (counted !== undefined) count(request, response, arrival, counted, query);
    else if (asked !== undefined) read(request, response, arrival, asked, path, query);
    else if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else refuseUnknown(request, response, path, arrival.requestId);
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
