import { sessionCookie } from '../session-cookie.ts';

/** A request of a test. */
export interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response. */
export interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The envelope's flag, if there is an envelope. */
  readonly success: boolean | undefined;
  readonly message: string;
  readonly data: unknown;
}

/** Calls the API like a program, with one caller's credentials. */
export type Caller = (path: string, sent?: Sent) => Promise<Got>;

export const createCaller =
  (url: string, credentials: Readonly<Record<string, string>> = {}): Caller =>
  async (path, { method = 'GET', body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'Accept-Language': 'en',
        ...credentials,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const envelope = readEnvelope(text);
    return {
      status: response.status,
      text,
      headers: response.headers,
      success: envelope.success,
      message: envelope.message ?? '',
      data: envelope.data,
    };
  };

const readEnvelope = (text: string): { success?: boolean; message?: string; data?: unknown } => {
  try {
    return (JSON.parse(text) ?? {}) as { success?: boolean; message?: string; data?: unknown };
  } catch {
    return {};
  }
};

/** The headers of a user with a session. */
export const sessionHeaders = (sessionId: string, userId: number): Record<string, string> => ({
  Cookie: sessionCookie(sessionId, { secure: false }).split(';')[0] ?? '',
  'New-Api-User': String(userId),
});

export const accessTokenHeaders = (token: string, userId: number): Record<string, string> => ({
  Authorization: token,
  'New-Api-User': String(userId),
});
