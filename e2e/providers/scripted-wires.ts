import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import type { Json, Page, Refusal, Wire } from '../../src/server/providers/testing/wire.ts';

/** A call as received, without the part of the path that selects the wire. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Json;
}

/** The answer to calls other than the wire's own chat: a caller's format at a native path. */
type Scripted = (path: string, body: Json, stream: boolean) => Page | undefined;

const send = (response: ServerResponse, status: number, page: Page, headers: Json = {}): void => {
  response.writeHead(status, { 'content-type': page.contentType, ...(headers as Record<string, string>) });
  response.end(page.bytes);
};

const refuse = (response: ServerResponse, { status, body, headers }: Refusal): void => {
  const isText = typeof body === 'string';
  const page = {
    contentType: isText ? 'text/plain' : 'application/json',
    bytes: isText ? body : JSON.stringify(body),
  };
  send(response, status, page, headers);
};

const parse = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
};

/** Paths that request a stream. */
const STREAMS = /:stream(?:GenerateContent|RawPredict)|-stream$/;

/**
 * An upstream that speaks every wire. The path selects the wire and its state: `/NUMBER/good`, `/NUMBER/bad` (the key is
 * refused), `/NUMBER/rate` (over its rate limit).
 */
export const startScriptedWires = async (wires: readonly Wire[], others: Scripted) => {
  const arrived: Arrived[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse, text: string): void => {
    const [, index, mood, path = ''] = /^\/(\d+)\/(\w+)(\/.*)?$/.exec(request.url ?? '') ?? [];
    const wire = wires[Number(index)];
    if (wire === undefined) return send(response, 404, { contentType: 'text/plain', bytes: 'nobody' });
    const body = parse(text);
    const { before, models } = wire;
    if (before !== undefined && path.startsWith(before.path))
      return send(response, 200, { contentType: 'application/json', bytes: JSON.stringify(before.body) });
    arrived.push({ method: request.method ?? '', path, headers: request.headers, body });
    if (mood === 'bad') return refuse(response, wire.badKey);
    if (mood === 'rate') return refuse(response, wire.rateLimit);
    if (request.method === 'GET' && models !== undefined)
      return refuse(response, { status: 200, body: models.body });
    const stream = /"stream":true|"stream":"true"|"Stream":true|streaming/.test(text) || STREAMS.test(path);
    const calls = /get_weather/.test(text) && !/sunny/.test(text);
    const isChat = path === wire.chat || path === wire.streamed;
    const page = isChat
      ? wire.answer({ calls, stream, inJson: /answer in JSON/.test(text) })
      : others(path, body, stream);
    if (page === undefined) return send(response, 404, { contentType: 'text/plain', bytes: 'no such path' });
    send(response, 200, page);
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => answer(request, response, Buffer.concat(parts).toString()));
  });
  const url = await listening(server);
  return {
    url,
    /** The address of a wire in a state. */
    addressOf: (index: number, mood: 'good' | 'bad' | 'rate'): string => `${url}/${String(index)}/${mood}`,
    /** The last request, except those for an access token. */
    last: (): Arrived => {
      const call = arrived.at(-1);
      if (call === undefined) throw new Error('nothing arrived');
      return call;
    },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
