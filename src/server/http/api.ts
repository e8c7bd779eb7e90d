import { compressed } from './site/compress.ts';
import { Downloads } from './download.ts';
import { Hono } from 'hono';
import { endpoints, nouns } from '#contract/api/endpoints.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import { languageOf, say } from '#contract/messages.ts';
import type { Handlers } from './handler.ts';
import { openapi } from './openapi.ts';
import { type ApiEnv, respond, serve, type ServeDeps } from './serve.ts';
import { SharedRoom } from '#core/limits/shared-room.ts';

/** A handler for each endpoint of each noun. */
export type ApiHandlers = { readonly [Noun in keyof typeof nouns]: Handlers<(typeof nouns)[Noun]> };

/** The limit of all control plane bodies in memory at once. */
const ALL_IN_MEMORY_MAX_BYTES = 64 * 1024 * 1024;

type AnyHandler = Parameters<typeof serve>[2];

/** The control plane as one Hono app. Throws when an endpoint of the contract has no handler. */
export const createApi = (handlers: ApiHandlers, deps: ServeDeps, version: string): Hono<ApiEnv> => {
  const app = new Hono<ApiEnv>();
  app.use(compressed);
  const handlerOf = handlersByEndpoint(handlers);
  const room = new SharedRoom(ALL_IN_MEMORY_MAX_BYTES);
  // Downloads of admins have places of their own, so that users who read slowly do not keep admins waiting.
  const downloads = { ofUsers: new Downloads(deps.log), ofAdmins: new Downloads(deps.log) };
  // Fixed paths before placeholders: `/api/user/self` is not the user called self.
  for (const endpoint of endpoints.toSorted((left, right) => placeholders(left) - placeholders(right))) {
    const handler = handlerOf.get(endpoint);
    if (handler === undefined) throw new Error(`${endpoint.method} ${endpoint.path} has no handler`);
    const isAdmins = endpoint.access === 'admin' || endpoint.access === 'root';
    serve(app, endpoint, handler, deps, {
      room,
      downloads: isAdmins ? downloads.ofAdmins : downloads.ofUsers,
    });
  }
  // Generated on the first request, because most servers never get one and it took a fifth of the start.
  let description: ReturnType<typeof openapi> | undefined;
  app.get('/api/openapi.json', () => respond(200, (description ??= openapi(endpoints, version))));
  app.notFound((context) => {
    const { method, path } = context.req;
    const language = languageOf(context.req.header('accept-language'), deps.language());
    return respond(404, {
      success: false,
      message: say('no_such_call', language, { method, path }),
      data: null,
    });
  });
  return app;
};

const placeholders = (endpoint: EndpointShape): number => endpoint.path.split('/:').length;

const handlersByEndpoint = (handlers: ApiHandlers): Map<EndpointShape, AnyHandler> => {
  const found = new Map<EndpointShape, AnyHandler>();
  for (const [noun, named] of Object.entries(handlers) as [keyof ApiHandlers, Record<string, AnyHandler>][]) {
    const exported: Readonly<Record<string, unknown>> = nouns[noun];
    for (const [name, handler] of Object.entries(named)) found.set(exported[name] as EndpointShape, handler);
  }
  return found;
};
