import { createServer } from 'node:http';
import { addressOf, listening } from '../../src/server/outbound/testing/local-server.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/** A request as the upstream received it, with a JSON body. */
export interface JsonRequest {
  readonly path: string;
  readonly type: string;
  readonly body: Json;
}

export interface JsonUpstream {
  readonly url: string;
  /** The requests since the list was last emptied. */
  readonly seen: JsonRequest[];
  stop(): Promise<void>;
}

/** An upstream that accepts JSON at any path and answers 200 with the result of `answerTo`. */
export const startJsonUpstream = async (
  answerTo: (path: string, body: Json) => Json,
): Promise<JsonUpstream> => {
  const seen: JsonRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
      seen.push({ path, type: request.headers['content-type'] ?? '', body });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerTo(path, body)));
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    seen,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
