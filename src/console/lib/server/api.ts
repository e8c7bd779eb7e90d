import type { Data, EndpointShape, Sent } from '#contract/endpoint.ts';
import { REQUEST_ID_HEADER, USER_ID_HEADER } from '#contract/limits.ts';
import { ApiError, asSentence } from './api-error.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { proveFresh } from '../session/fresh.ts';
import { language, t } from '../text/i18n.ts';
import { expireSession, sessionUser } from '../session/session.ts';
import { ownPage, signInAgain } from '../session/sign-in-again.ts';

interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly data: unknown;
  /** The reason for a refusal, if the page can act on it. */
  readonly code?: string;
}

/** What sends a call: the browser's own `fetch`, or that of `upload.ts`. */
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

/** The server requires the user to confirm their identity. */
const FRESH_NEEDED = 'fresh_password_needed';

/**
 * Calls one endpoint of the contract and gives its `data`.
 * Throws an ApiError whose message can be shown as it is; a 401 asks to sign in again and calls once more, or ends the session.
 */
export const call = async <E extends EndpointShape>(
  endpoint: E,
  sent: Sent<E> = {},
  signal?: AbortSignal,
  via?: Fetch,
): Promise<Data<E>> => (await callWhole(endpoint, sent, signal, via)).data;

/** The same, with the fields that some endpoints have beside `data` (`time` of a channel test). */
export const callWhole = async <E extends EndpointShape>(
  endpoint: E,
  sent: Sent<E> = {},
  signal?: AbortSignal,
  via?: Fetch,
): Promise<{ data: Data<E>; message: string } & Record<string, unknown>> => {
  const caller = sessionUser()?.id;
  const response = await send(endpoint, sent, signal, via);
  const envelope = await readEnvelope(response);
  const isPublic = endpoint.access === 'public';
  if (response.ok && envelope?.success === true) {
    if (!isPublic) ownPage();
    return { ...envelope, data: envelope.data as Data<E> };
  }
  if (envelope?.code === FRESH_NEEDED && endpoint.path !== '/api/user/confirm' && (await proveFresh()))
    return callWhole(endpoint, sent, signal, via);
  if (response.status === 401 && !isPublic) {
    if (await signInAgain()) return callWhole(endpoint, sent, signal, via);
    // Another user may have signed in meanwhile.
    if (sessionUser()?.id === caller) expireSession();
  }
  // Under a good status it was cut off, or came from a proxy.
  const unread = response.ok ? t('error.unread') : t('error.http', { status: response.status });
  const message = envelope?.message || wordingOf(response.status) || unread;
  const requestId = response.headers.get(REQUEST_ID_HEADER) ?? undefined;
  throw new ApiError(
    asSentence(message),
    response.status,
    requestId,
    { ...envelope },
    envelope === undefined,
  );
};

/** Headers that every call to our server carries, for the calls that are not endpoints (the playground's stream). */
export const callHeaders = (): Record<string, string> => {
  const user = sessionUser();
  return {
    'Accept-Language': language(),
    ...(user === undefined ? {} : { [USER_ID_HEADER]: String(user.id) }),
  };
};

const send = async (
  endpoint: EndpointShape,
  sent: Sent<EndpointShape>,
  signal: AbortSignal | undefined,
  via: Fetch = fetch,
): Promise<Response> => {
  const headers: Record<string, string> = callHeaders();
  if (sent.body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    const response = await via(addressOf(endpoint, sent), {
      method: endpoint.method,
      headers,
      credentials: 'same-origin',
      // Without either it is undefined, which is no body.
      body: (sent.file as Blob | undefined) ?? JSON.stringify(sent.body),
      signal: signal ?? null,
    });
    noteAnswer();
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    noteSilence();
    throw new ApiError(t('error.unreachable'), 0);
  }
};

/** The address of an endpoint with its path and query parameters filled in; empty query values are left out. */
export const addressOf = (
  endpoint: Pick<EndpointShape, 'path'>,
  sent: { params?: unknown; query?: unknown },
): string => {
  const params = (sent.params ?? {}) as Record<string, unknown>;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
};

const readEnvelope = async (response: Response): Promise<Envelope | undefined> => {
  try {
    return (await response.json()) as Envelope;
  } catch {
    return undefined;
  }
};

/** The message of a status whose answer has none. Source: specification, error catalogue. */
export const wordingOf = (status: number): string | undefined => {
  switch (status) {
    case 401:
      return t('error.signedOut');
    case 405:
      return t('error.demoSite');
    case 429:
      return t('error.tooManyRequests');
    case 500:
      return t('error.internal');
    default:
      return undefined;
  }
};
