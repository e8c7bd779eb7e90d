import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ClientAddress } from './client-address.ts';
import { respond, type ApiEnv } from './serve.ts';

type AddressOf = (connection: {
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly forwardedProto: string | undefined;
}) => ClientAddress;

/** The API behind node's own server. */
export const createApiListener = (app: Hono<ApiEnv>, addressOf: AddressOf) => {
  const requestIds = new WeakMap<IncomingMessage, string>();
  const listener = getRequestListener(
    (request, env) => {
      const { incoming } = env as HttpBindings;
      const { ip, secure } = addressOf({
        remoteAddress: incoming.socket.remoteAddress,
        forwardedFor: one(incoming.headers['x-forwarded-for']),
        forwardedProto: one(incoming.headers['x-forwarded-proto']),
      });
      return app.fetch(request, { arrival: { requestId: requestIds.get(incoming) ?? '', ip, secure } });
    },
    // A request that is none (a Host header that does not read) gets the envelope like every other.
    {
      overrideGlobalObjects: false,
      errorHandler: () => respond(400, { success: false, message: 'bad request', data: null }),
    },
  );
  return (
    request: IncomingMessage,
    response: ServerResponse,
    arrival: { readonly requestId: string },
  ): void => {
    requestIds.set(request, arrival.requestId);
    void listener(request, response);
  };
};

const one = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;
