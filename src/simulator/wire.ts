import type { IncomingMessage, ServerResponse } from 'node:http';
import { geminiError, geminiPath } from './chats/gemini-path.ts';
import { isMessagesPath, messagesError } from './chats/messages-path.ts';

/** A parsed JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** One call, as the simulator read it. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly body: Json;
  readonly model: string;
  readonly stream: boolean;
  /** The caller's key, for the scripts that leak it. */
  readonly key: string;
  /** Tokens a second of normal answers; 0 for as fast as possible. */
  readonly speed: number;
}

export const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
    ...headers,
  });
  response.end(bytes);
};

export const sendError = (
  response: ServerResponse,
  status: number,
  error: { message: string; type?: string; code?: string | null; param?: string | null },
  headers: Record<string, string> = {},
): void => {
  const plain = { error: { type: 'invalid_request_error', param: null, code: null, ...error } };
  const path = (response.req.url ?? '').replace(/\?.*/, '');
  if (isMessagesPath(path)) sendJson(response, status, messagesError(status, error.message), headers);
  else if (geminiPath(path) !== undefined)
    sendJson(response, status, geminiError(status, error.message), headers);
  else sendJson(response, status, plain, headers);
};

export const startStream = (response: ServerResponse, headers: Record<string, string> = {}): void => {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...headers,
  });
};

export const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const DONE = 'data: [DONE]\n\n';

/** Resolves after `ms`, or at once when the caller has disconnected. */
export const pause = (response: ServerResponse, ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (ms <= 0 || response.destroyed) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once('close', done);
  });

/** Writes, and waits while the reader is slow. */
export const write = async (response: ServerResponse, bytes: string | Buffer): Promise<void> => {
  if (response.destroyed || response.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
};
