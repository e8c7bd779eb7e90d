import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { TaskAnswer, TaskCall } from '../../relay/tasks/task-ports.ts';
import type { TaskRelay } from '../../relay/tasks/tasks.ts';
import type { RelayHandler } from '../door/front-door-deps.ts';
import { CountedBody, type RelayBodies } from '../bodies/relay-body.ts';
import { originOf } from '../origin.ts';
import { queryKey } from './front-call.ts';
import { sendJson } from '../door/send-json.ts';

const CORS = {
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization, mj-api-secret',
  'Access-Control-Max-Age': '86400',
} as const;

/** Paths of drawing and music, with any mode prefix. */
export const isTaskPath = (path: string): boolean =>
  path.startsWith('/mj/') ||
  path.startsWith('/suno/') ||
  /^\/(?:mj-\w{1,20}|fast|relax|turbo)\/mj\//.test(path);

/** Serves drawing and music. */
export const createTaskRoutes =
  (tasks: Pick<TaskRelay, 'serve'>, bodies: RelayBodies): RelayHandler =>
  (request, response, arrival, path, query) => {
    const { method = 'GET', headers } = request;
    response.setHeader(REQUEST_ID_HEADER, arrival.requestId);
    response.setHeader('Access-Control-Allow-Origin', '*');
    const body = new CountedBody(bodies, request, arrival);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const call: TaskCall = {
      // Node sends no body to a HEAD.
      method: method === 'HEAD' ? 'GET' : method,
      path,
      headers,
      queryKey: queryKey(query),
      ip: arrival.ip,
      requestId: arrival.requestId,
      origin: originOf(arrival.secure, headers.host),
      signal: gone.signal,
      outlet: { rateHeaders: undefined },
      readBody: (userId) => body.read(userId),
    };
    if (method === 'OPTIONS') {
      response.writeHead(204, CORS).end();
      return undefined;
    }
    const answer = tasks.serve(call);
    if (answer === undefined) {
      sendJson(response, 404, nowhere(path, `Invalid URL (${method} ${path})`));
      return undefined;
    }
    return answer
      .then((ready) => send(response, ready))
      .catch(() => response.destroy())
      .finally(() => body.release());
  };

/** As each of the two says that there is something wrong with a request. */
const nowhere = (path: string, message: string): object =>
  path.startsWith('/suno/')
    ? { code: 'not_found', message, data: null }
    : { code: 4, description: message, result: '' };

const send = async (response: ServerResponse, answer: TaskAnswer): Promise<void> => {
  if (answer.kind === 'json') {
    sendJson(response, answer.status, answer.body, answer.headers);
    return;
  }
  response.writeHead(200, {
    'Content-Type': answer.contentType,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, max-age=3600',
  });
  await pipeline(Readable.from(answer.body), response);
};
