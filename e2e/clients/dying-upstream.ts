import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import type { Turn } from '../support/upstreams/scripted-formats.ts';
import { answerIn, callFor, LAST_WORDS } from '../support/upstreams/scripted-upstream.ts';

/** The refusal of a dead key. */
export interface Death {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** `Retry-After`, in seconds. */
  readonly after?: number;
  /** What happens to its calls instead of a refusal. Their status is 0 then. */
  readonly how?: keyof typeof odd;
}

const STREAM = { 'content-type': 'text/event-stream' };
/** Ways to fail without an answer. */
const odd = {
  hangs: () => undefined,
  'hangs after its head': (response: ServerResponse) => response.writeHead(200, STREAM).flushHeaders(),
  'closes the connection': (response: ServerResponse) => void response.destroy(),
  'sends garbage': (response: ServerResponse) =>
    void response.writeHead(200, STREAM).end(Buffer.from('\0\u{1}\xff data: {"half', 'latin1')),
  'sends a page': (response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>'),
  'sends nothing': (response: ServerResponse) => void response.writeHead(200, STREAM).end(),
};

export const formatOf = (path: string): DialectName | undefined => {
  if (path.includes('/messages')) return 'anthropic-messages';
  if (path.includes('/responses')) return 'openai-responses';
  if (path.includes('/chat/completions')) return 'openai-chat';
  return /:(stream)?[gG]enerateContent/.test(path) ? 'gemini' : undefined;
};

export const keyIn = ({ headers }: IncomingMessage): string =>
  String(headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization ?? '').replace(
    /^Bearer /,
    '',
  );

const NO_PATH: Death = { status: 404, type: 'not_found', message: 'no such path' };

/** Refuses calls with a dead key, and calls at unknown paths. */
export const refuse = (response: ServerResponse, death = NO_PATH): Death => {
  const { status, after, how, ...error } = death;
  if (how !== undefined) {
    odd[how](response);
    return death;
  }
  const headers = { 'content-type': 'application/json', ...(after && { 'retry-after': String(after) }) };
  response.writeHead(status, headers).end(JSON.stringify({ type: 'error', error }));
  return death;
};

/** An agent that is told to look into the same folder again and again stops by itself. */
const varied = (turn: Turn, at: number): Turn => {
  if (!('call' in turn) || turn.call.arguments['dir_path'] === undefined) return turn;
  return { call: { ...turn.call, arguments: { dir_path: `.${'/.'.repeat(at)}` } } };
};

/**
 * An upstream at the paths of the makers. Each time it has called a tool, the key it was asked with dies by the next of
 * `deaths`; when all have been, it says its last words.
 */
export const startDyingUpstream = async (deaths: readonly Death[]) => {
  const dead = new Map<string, Death>();
  /** The answers given, by key: a tool call, a text, or a refusal. */
  const answered: { readonly key: string; readonly how: 'tool' | 'text' | number }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      const format = formatOf(path);
      const key = keyIn(request);
      const text = Buffer.concat(parts).toString();
      const death = dead.get(key);
      if (format === undefined || death !== undefined) {
        answered.push({ key, how: refuse(response, death).status });
        return;
      }
      const next = deaths[dead.size];
      const call = next === undefined ? undefined : callFor(text);
      if (next !== undefined && call !== undefined) dead.set(key, next);
      answered.push({ key, how: call === undefined ? 'text' : 'tool' });
      const { events, whole } = answerIn(format, call ? varied(call, answered.length) : { text: LAST_WORDS });
      const isStream = path.includes('stream') || /"stream":\s*true/.test(text);
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? events() : JSON.stringify(whole));
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    answered,
    /** Revives all keys. */
    revive(): void {
      dead.clear();
      answered.length = 0;
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
