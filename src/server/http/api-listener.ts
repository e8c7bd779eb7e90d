import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Handler } from './door/front-door-deps.ts';
import { type ApiArrival, type ApiEnv, respond } from './serve.ts';

/** Serves the API through node's own server. */
export const createApiListener = (app: Hono<ApiEnv>, onUntrustedProxy: () => void): Handler => {
  const arrivals = new WeakMap<IncomingMessage, ApiArrival>();
  const open = async () => {
    const { getRequestListener } = await import('@hono/node-server');
    return getRequestListener(
      (request, env) => {
        const arrival = arrivals.get((env as HttpBindings).incoming);
        if (arrival === undefined) throw new Error('a request came in past the front door');
        return app.fetch(request, { arrival });
      },
      // An unreadable request (say, an invalid Host) gets the envelope like every other error.
      {
        overrideGlobalObjects: false,
        errorHandler: () => respond(400, { success: false, message: 'bad request', data: null }),
      },
    );
  };
  // Opened by the first request: the package reads `Headers`, and with it Node loads all of its `fetch`.
  let listener: ReturnType<typeof open> | undefined;
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: ApiArrival,
  ): Promise<unknown> => {
    arrivals.set(request, arrival);
    if (isBehindProxy(request, arrival)) onUntrustedProxy();
    listener ??= open();
    return (await listener)(request, response);
  };
};

/**
 * A proxy in front of us sends the client's address, but we do not trust it, so all callers seem to share one address.
 */
const isBehindProxy = ({ headers, socket }: IncomingMessage, { ip }: ApiArrival): boolean =>
  headers['x-forwarded-for'] !== undefined && (socket.remoteAddress ?? '').endsWith(ip);
