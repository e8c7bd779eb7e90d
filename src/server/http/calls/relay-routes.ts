import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#core/error.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import type { Relay } from '../../relay/ports.ts';
import type { TokenCount, TokenRead } from '../../relay/calls.ts';
import type { RelayHandler } from '../door/front-door-deps.ts';
import { CountedBody, type RelayBodies } from '../bodies/relay-body.ts';
import { countAt } from './relay-count.ts';
import { FrontCall, queryKey } from './front-call.ts';
import { callAt, dialectAt, isUnoffered, readAt, conversationAt, keptAt, meantPath } from './relay-paths.ts';
import { NodeReply } from './relay-reply.ts';
import { REQUEST_ID_HEADERS } from '../door/request-id-headers.ts';
import { sendJson } from '../door/send-json.ts';

/** Serves responses and conversations that upstreams store. Undefined if the path is not one of theirs. */
const createKeptRoutes =
  (relay: Relay, bodies: RelayBodies): RelayHandler<Promise<void> | undefined> =>
  (request, response, arrival, path, query) => {
    const { requestId, ip } = arrival;
    const { method = 'GET', headers } = request;
    const kept = keptAt(method, path);
    const asked = kept === undefined ? conversationAt(method, path) : undefined;
    if (kept === undefined && asked === undefined) return undefined;
    const reply = new NodeReply(response, requestId);
    const common = { query, headers, queryKey: queryKey(query), ip, requestId, reply };
    if (kept !== undefined) return relay.kept({ ...kept, ...common });
    if (asked === undefined) return undefined;
    const body = new CountedBody(bodies, request, arrival);
    const readBody = (userId: number): Promise<Buffer> => body.read(userId);
    return relay.conversation({ ...asked, ...common, readBody }).then(() => body.release());
  };

const CORS = {
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
} as const;

/** Serves every relay path: calls, reads, and 404s. */
export const createRelayRoutes = (relay: Relay, bodies: RelayBodies): RelayHandler => {
  const serveKept = createKeptRoutes(relay, bodies);

  const read = (request: TokenRead, response: ServerResponse): Promise<void> =>
    relay.read(request).then(({ status, body, headers }) => sendJson(response, status, body, headers));

  const count = (
    request: Omit<TokenCount, 'readBody'>,
    asked: CountedBody,
    response: ServerResponse,
  ): Promise<void> =>
    relay.count({ ...request, readBody: (userId) => asked.read(userId) }).then((answer) => {
      const { status, body, headers } = answer;
      asked.release();
      sendJson(response, status, body, headers);
    });

  return (request, response, arrival, path, query) => {
    const { method = 'GET', headers } = request;
    const { requestId, ip } = arrival;
    const route = method === 'POST' ? callAt(path, query) : undefined;
    if (route !== undefined) {
      const body = new CountedBody(bodies, request, arrival);
      const reply = new NodeReply(response, requestId);
      const call = new FrontCall(route, arrival, { headers, path, query }, body, reply);
      return relay.serve(call).then(() => body.release());
    }
    const keptWork = serveKept(request, response, arrival, path, query);
    if (keptWork !== undefined) return keptWork;
    for (const name of REQUEST_ID_HEADERS) response.setHeader(name, requestId);
    response.setHeader('Access-Control-Allow-Origin', '*');
    const key = queryKey(query);
    const common = { headers, queryKey: key, ip, requestId };
    const counted = method === 'POST' ? countAt(path) : undefined;
    // Node sends no body to a HEAD.
    const asked = method === 'GET' || method === 'HEAD' ? readAt(path) : undefined;
    if (counted !== undefined)
      return count({ ...counted, ...common }, new CountedBody(bodies, request, arrival), response);
    if (asked !== undefined)
      return read({ ...asked, ...common, query, dialect: dialectAt(path, headers, key) }, response);
    if (method === 'OPTIONS') response.writeHead(204, CORS).end();
    else refuseUnknown(request, response, path, requestId);
    return undefined;
  };
};

const refuseUnknown = (
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  path: string,
  requestId: string,
): void => {
  const meant = meantPath(method, path);
  const unoffered = meant === undefined && isUnoffered(path);
  const wrong = `Invalid URL (${method} ${path})`;
  const hint = meant === undefined ? '' : `: here it is ${meant}; look at the base address of your program`;
  const message = unoffered ? 'API not implemented' : wrong + hint;
  const name = dialectAt(meant ?? path, headers);
  response.setHeader('x-should-retry', 'false');
  if (!name.startsWith('openai-')) {
    // Claude Code takes every 404 for a model that is not there, and shows no message.
    const misplaced = meant !== undefined && name === 'anthropic-messages';
    const code = unoffered ? 'not_implemented' : misplaced ? 'invalid_request' : 'not_found';
    const error = new AppError(code, message);
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
