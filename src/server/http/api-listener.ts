import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Handler } from './front-door-deps.ts';
import { type ApiArrival, type ApiEnv, respond } from './serve.ts';

/** The API behind node's own server. */
export const createApiListener = (app: Hono<ApiEnv>, onUntrustedProxy: () => void): Handler => {
  const arrivals = new WeakMap<IncomingMessage, ApiArrival>();
  const listener = getRequestListener(
    (request, env) => {
      const arrival = arrivals.get((env as HttpBindings).incoming);
      if (arrival === undefined) throw new Error('a request came in past the front door');
      return app.fetch(request, { arrival });
    },
    // A request that is none (a Host that does not read) gets the envelope like every other.
    {
      overrideGlobalObjects: false,
      errorHandler: () => respond(400, { success: false, message: 'bad request', data: null }),
    },
  );
  return (request: IncomingMessage, response: ServerResponse, arrival: ApiArrival): void => {
    arrivals.set(request, arrival);
    if (isBehindProxy(request, arrival)) onUntrustedProxy();
    void listener(request, response);
  };
};

/** Something in front of us says who called, and we do not believe it: everybody seems to be one address. */
const isBehindProxy = ({ headers, socket }: IncomingMessage, { ip }: ApiArrival): boolean =>
  headers['x-forwarded-for'] !== undefined && (socket.remoteAddress ?? '').endsWith(ip);
