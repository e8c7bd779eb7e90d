import type { Context, Hono } from 'hono';
import { role } from '#contract/codes.ts';
import type { Access, EndpointShape, RateClass } from '#contract/endpoint.ts';
import { USER_ID_HEADER } from '#contract/limits.ts';
import { isMessageKey, type Language, languageOf, say } from '#contract/messages.ts';
import { messageFields } from '#contract/messages/message-fields.ts';
import { addressKey } from '#core/address-key.ts';
import { type AppError, asAppError } from '#core/error.ts';
import type { RateLimiter } from '#core/limits/rate-limiter.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { requireFresh } from '../control/people/sign-in/fresh.ts';
import type { Actor, Identify } from '../control/people/identity.ts';
import type { HumanCheck } from '../control/people/sign-in/human-check.ts';
import { sayError, countOrRefuse } from '../control/refuse.ts';
import type { Downloads } from './download.ts';
import type { Call, Download } from './handler.ts';
import { readInput } from './read-input.ts';
import { originOf } from './origin.ts';
import { isSameOrigin } from './same-origin.ts';
import { RoomShare, type SharedRoom } from '#core/limits/shared-room.ts';
import {
  browserCookie,
  deviceCookie,
  readBrowserCookie,
  readDeviceCookie,
  readSessionCookie,
  sessionCookie,
} from './session-cookie.ts';

/** What the API knows of a request before its body is read. */
export interface ApiArrival {
  readonly requestId: string;
  readonly ip: string;
  /** The browser spoke https. */
  readonly secure: boolean;
  readonly addressKey: string;
  /** The client of the connection; marked as known once its session was valid. */
  readonly visitor: { isKnown: boolean };
}

export interface ApiEnv {
  Bindings: { readonly arrival: ApiArrival };
}

export interface ServeDeps {
  readonly identify: Identify;
  /** `any` counts every call by address; the classes count in addition. */
  readonly limits: Readonly<Record<RateClass | 'any', RateLimiter>>;
  readonly isDemoSite: () => boolean;
  /** The language for callers that request none of ours. */
  readonly language: () => Language;
  /** Throws unless a human has answered. */
  readonly humanCheck: HumanCheck;
  readonly clock: Clock;
  readonly log: Log;
}

/** A handler without its types, which `Handlers` has checked. */
type AnyHandler = (input: never, call: never) => Promise<unknown>;

const leastRole: Readonly<Record<Access, number>> = {
  public: 0,
  user: role.user,
  admin: role.admin,
  root: role.root,
};

/** Endpoints that change something although their method is GET. */
const CHANGING_READS = new Set<string>([
  '/api/reset_password',
  '/api/user/token',
  '/api/user/logout',
  '/api/verification',
  '/api/oauth/email/bind',
  '/api/oauth/wechat/bind',
  '/api/oauth/telegram/bind',
  '/api/channel/test',
  '/api/channel/test/:id',
  '/api/channel/update_balance',
  '/api/channel/update_balance/:id',
]);
/** Allowed on a demo site although they count as changes: signing in and out, setup, and one call that only reads. */
const ALWAYS_OPEN = new Set<string>([
  '/api/user/login',
  '/api/user/login/2fa',
  '/api/user/passkey/login/begin',
  '/api/user/passkey/login/finish',
  '/api/user/logout',
  '/api/user/confirm',
  '/api/setup',
  // Only reads, but its secret is in the body.
  '/api/usage_link/open',
]);

/** If the body took longer than this to arrive, the session, rank and account are checked again: they may have changed. */
const ASK_AGAIN_AFTER_MS = 1000;

/** Refusals that a page can react to, so the answer states their reason. */
const ANSWERABLE = new Set<string>(['fresh_password_needed', 'changed_meanwhile']);

/** Whether a call changes something, whatever its method. */
export const changes = (endpoint: EndpointShape): boolean =>
  endpoint.method !== 'GET' || CHANGING_READS.has(endpoint.path);

/** The state of one call to an endpoint. */
interface Exchange {
  readonly endpoint: EndpointShape;
  readonly context: Context<ApiEnv>;
  readonly language: Language;
  /** Cookies of the answer; handlers add to it. */
  readonly cookies: string[];
}

/** Mounts one endpoint, with and without a trailing slash. `room` limits the bodies of all endpoints, `downloads` their files. */
export const serve = (
  app: Hono<ApiEnv>,
  endpoint: EndpointShape,
  handler: AnyHandler,
  deps: ServeDeps,
  { room, downloads }: { readonly room: SharedRoom; readonly downloads: Downloads },
): void => {
  // An id has digits only, so other paths of that shape are not found.
  const path = endpoint.path.replace(':id', ':id{-?[0-9]+}');
  app.on(endpoint.method, [path, `${path}/`], async (context) => {
    let share: RoomShare | undefined;
    const language = languageOf(context.req.header('accept-language'), deps.language());
    const exchange: Exchange = { endpoint, context, language, cookies: [] };
    try {
      const begunMs = deps.clock.monotonic();
      const call = await admit(deps, exchange);
      const { addressKey: address } = context.env.arrival;
      share = new RoomShare(room, call.actor?.user.id ?? address, address);
      const input = await readInput(endpoint, context.req.raw, context.req.param(), share);
      const waitedMs = deps.clock.monotonic() - begunMs;
      if (call.actor !== undefined && waitedMs >= ASK_AGAIN_AFTER_MS) await call.askAgain();
      if (endpoint.rate !== undefined)
        await countOrRefuse(deps.limits[endpoint.rate], rateKey(endpoint.rate, call));
      if (endpoint.humanCheck) await deps.humanCheck(turnstileOf(input), call.ip);
      // Each handler was checked against its own endpoint where it is written; here handlers of all types are served alike.
      const answering = () => handler(input as never, call as never);
      if (endpoint.download === true)
        return await downloads.send(call.actor?.user.id ?? 0, answering as () => Promise<Download>);
      const answer = await answering();
      return respond(200, envelope(endpoint, answer), exchange.cookies);
    } catch (thrown) {
      return refusal(deps, exchange, asAppError(thrown));
    } finally {
      share?.release();
    }
  });
};

/** All checks before the input is read. */
const admit = async (deps: ServeDeps, { endpoint, context, language, cookies }: Exchange): Promise<Call> => {
  const header = (name: string): string | undefined => context.req.header(name);
  const { arrival } = context.env;
  const { ip, secure } = arrival;
  await countOrRefuse(deps.limits.any, arrival.addressKey);
  const sameOrigin = isSameOrigin({
    secFetchSite: header('sec-fetch-site'),
    secFetchMode: header('sec-fetch-mode'),
    origin: header('origin'),
    host: header('host'),
  });
  if (!sameOrigin && (endpoint.access !== 'public' || changes(endpoint)))
    throw sayError('forbidden', 'cross_site');
  const sessionId = readSessionCookie(header('cookie'), arrival);
  const credentials = {
    sessionId,
    authorization: header('authorization'),
    userHeader: header(USER_ID_HEADER),
  };
  const actor = endpoint.access === 'public' ? undefined : await deps.identify(credentials);
  if (actor !== undefined) arrival.visitor.isKnown = true;
  if ((actor?.user.role ?? 0) < leastRole[endpoint.access]) throw sayError('forbidden', 'role_too_low');
  if (deps.isDemoSite() && changes(endpoint) && !ALWAYS_OPEN.has(endpoint.path) && !isRoot(actor)) {
    throw sayError('method_not_allowed', 'demo_site');
  }
  if (endpoint.fresh === 'always' && actor !== undefined) requireFresh(actor, deps.clock.now());
  return {
    actor,
    ip,
    secure,
    language,
    sameOrigin,
    sessionId,
    whoever: () => deps.identify(credentials).catch(nobody),
    askAgain: async () => void (await deps.identify(credentials)),
    origin: originOf(secure, header('host')),
    browserId: readBrowserCookie(header('cookie'), arrival),
    setBrowserId: (id) => cookies.push(browserCookie(id, arrival)),
    device: readDeviceCookie(header('cookie'), arrival),
    setDevice: (device) => cookies.push(deviceCookie(device, arrival)),
    userAgent: header('user-agent') ?? '',
    setSession: (id) => cookies.push(sessionCookie(id, arrival)),
  };
};

/** Invalid credentials mean that nobody is signed in; any other error is thrown. */
const nobody = (thrown: unknown): undefined => {
  if (asAppError(thrown).code !== 'unauthenticated') throw thrown;
  return undefined;
};

const turnstileOf = ({ query }: { readonly query: unknown }): string =>
  (query as { readonly turnstile?: string } | undefined)?.turnstile ?? '';

const isRoot = (actor: Actor | undefined): boolean => actor !== undefined && actor.user.role >= role.root;

/** Searches are counted by user, everything else by address. */
const rateKey = (rate: RateClass, call: Call): string =>
  rate === 'search' && call.actor !== undefined ? String(call.actor.user.id) : addressKey(call.ip);

/** The answer filtered by its schema: fields the contract does not name are never sent. */
const envelope = (endpoint: EndpointShape, answer: unknown): Record<string, unknown> => {
  const beside = endpoint.fields === undefined ? undefined : (answer as { data: unknown; fields: unknown });
  return {
    success: true,
    message: '',
    data: endpoint.data.parse(beside === undefined ? answer : beside.data),
    ...(beside === undefined ? {} : endpoint.fields?.parse(beside.fields)),
  };
};

const refusal = (
  { log }: Pick<ServeDeps, 'log'>,
  { endpoint, context, language, cookies }: Exchange,
  error: AppError,
): Response => {
  const { requestId } = context.env.arrival;
  if (error.status >= 500) {
    log.error('an API call failed', {
      requestId,
      method: endpoint.method,
      path: endpoint.path,
      error: error.cause ?? error,
    });
  }
  const headers: Record<string, string> =
    error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) };
  return respond(error.status, failure(endpoint, error, language, requestId), cookies, headers);
};

const failure = (
  { fields }: EndpointShape,
  error: AppError,
  language: Language,
  requestId: string,
): Record<string, unknown> => ({
  success: false,
  message: sentence(error, language, requestId),
  data: null,
  ...fieldOf(error),
  ...(error.reason !== undefined && ANSWERABLE.has(error.reason) ? { code: error.reason } : {}),
  ...(error.beside === undefined ? {} : fields?.partial().parse(error.beside)),
});

/** The field of the input that was refused, so that a form can say it there. */
const fieldOf = ({ param, reason }: AppError): { readonly field?: string } => {
  const ofMessage = reason !== undefined && isMessageKey(reason) ? messageFields[reason] : undefined;
  const field = param || ofMessage;
  return field === undefined ? {} : { field };
};

const sentence = (error: AppError, language: Language, requestId: string): string => {
  if (error.reason !== undefined && isMessageKey(error.reason))
    return say(error.reason, language, error.values);
  if (error.code === 'internal') return say('internal', language, { id: requestId });
  if (error.code === 'unavailable') return say('unavailable', language);
  return error.message;
};

/** A JSON answer that may not be cached. Each cookie is a `Set-Cookie` value. */
export const respond = (
  status: number,
  body: unknown,
  cookies: readonly string[] = [],
  extra: Readonly<Record<string, string>> = {},
): Response => {
  const headers = new Headers({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...extra,
  });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(JSON.stringify(body), { status, headers });
};
