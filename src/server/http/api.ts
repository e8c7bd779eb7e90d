import { Hono } from 'hono';
import * as catalogue from '#contract/api/catalogue.ts';
import * as channelBatch from '#contract/api/channel-batch.ts';
import * as channelChecks from '#contract/api/channel-checks.ts';
import * as channels from '#contract/api/channels.ts';
import * as contents from '#contract/api/contents.ts';
import * as data from '#contract/api/data.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import * as logs from '#contract/api/logs.ts';
import * as oauth from '#contract/api/oauth.ts';
import * as options from '#contract/api/options.ts';
import * as pricing from '#contract/api/pricing.ts';
import * as passwordReset from '#contract/api/password-reset.ts';
import * as redemptions from '#contract/api/redemptions.ts';
import * as passkeys from '#contract/api/passkeys.ts';
import * as personal from '#contract/api/personal.ts';
import * as secondFactor from '#contract/api/second-factor.ts';
import * as session from '#contract/api/session.ts';
import * as setup from '#contract/api/setup.ts';
import * as tasks from '#contract/api/tasks.ts';
import * as tokens from '#contract/api/tokens.ts';
import * as users from '#contract/api/users.ts';
import * as wallet from '#contract/api/wallet.ts';
import type { EndpointShape } from '#contract/endpoint.ts';
import { languageOf, say } from '#contract/messages.ts';
import type { Handlers } from './handler.ts';
import { openapi } from './openapi.ts';
import { type ApiEnv, respond, serve, type ServeDeps } from './serve.ts';
import { SharedRoom } from './shared-room.ts';

/** A handler for each endpoint of each contract file. */
export interface ApiHandlers {
  readonly setup: Handlers<typeof setup>;
  readonly session: Handlers<typeof session>;
  readonly oauth: Handlers<typeof oauth>;
  readonly personal: Handlers<typeof personal>;
  readonly secondFactor: Handlers<typeof secondFactor>;
  readonly passkeys: Handlers<typeof passkeys>;
  readonly users: Handlers<typeof users>;
  readonly catalogue: Handlers<typeof catalogue>;
  readonly options: Handlers<typeof options>;
  readonly channels: Handlers<typeof channels>;
  readonly channelBatch: Handlers<typeof channelBatch>;
  readonly channelChecks: Handlers<typeof channelChecks>;
  readonly tokens: Handlers<typeof tokens>;
  readonly logs: Handlers<typeof logs>;
  readonly tasks: Handlers<typeof tasks>;
  readonly redemptions: Handlers<typeof redemptions>;
  readonly wallet: Handlers<typeof wallet>;
  readonly passwordReset: Handlers<typeof passwordReset>;
  readonly contents: Handlers<typeof contents>;
  readonly data: Handlers<typeof data>;
  readonly pricing: Handlers<typeof pricing>;
}

const files = {
  setup,
  session,
  oauth,
  personal,
  secondFactor,
  passkeys,
  users,
  catalogue,
  options,
  channels,
  channelBatch,
  channelChecks,
  tokens,
  logs,
  tasks,
  redemptions,
  wallet,
  passwordReset,
  contents,
  data,
  pricing,
};

/** All bodies of the control plane in memory at once. */
const ALL_IN_MEMORY_MAX_BYTES = 64 * 1024 * 1024;

type AnyHandler = Parameters<typeof serve>[2];

/** The control plane as one Hono app. Throws when an endpoint of the contract has no handler. */
export const createApi = (handlers: ApiHandlers, deps: ServeDeps, version: string): Hono<ApiEnv> => {
  const app = new Hono<ApiEnv>();
  const handlerOf = handlersByEndpoint(handlers);
  const room = new SharedRoom(ALL_IN_MEMORY_MAX_BYTES);
  // Names before placeholders: `/api/user/self` is not the user called self.
  for (const endpoint of endpoints.toSorted((left, right) => placeholders(left) - placeholders(right))) {
    const handler = handlerOf.get(endpoint);
    if (handler === undefined) throw new Error(`${endpoint.method} ${endpoint.path} has no handler`);
    serve(app, endpoint, handler, deps, room);
  }
  const description = openapi(endpoints, version);
  app.get('/api/openapi.json', () => respond(200, description));
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
  for (const [file, named] of Object.entries(handlers) as [keyof ApiHandlers, Record<string, AnyHandler>][]) {
    const exported = files[file] as Readonly<Record<string, unknown>>;
    for (const [name, handler] of Object.entries(named)) found.set(exported[name] as EndpointShape, handler);
  }
  return found;
};
