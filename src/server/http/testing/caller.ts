import { sessionCookie } from '../session-cookie.ts';

/** One fate for all upstream formats, or one for each. */
export interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The top-level names of a table's paths. */
export interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** `true`, or else the fields of the library's own type that the table lacks: then this file does not compile. */
  readonly success: boolean | undefined;
  readonly message: string;
  readonly data: unknown;
}

/** Every request field of the provider's own client library, and what becomes of it. */
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

/** Every request field of the provider's own client library, and what becomes of it. */
export const sessionHeaders = (sessionId: string, userId: number): Record<string, string> => ({
  Cookie: sessionCookie(sessionId, false).split(';')[0] ?? '',
  'New-Api-User': String(userId),
});

export const accessTokenHeaders = (token: string, userId: number): Record<string, string> => ({
  Authorization: token,
  'New-Api-User': String(userId),
});
