import { createServer } from 'node:http';
import { listening } from '../../../src/server/outbound/testing/local-server.ts';
import { refusedByMaker } from '../../../src/simulator/makers/refused-by-maker.ts';
import { asJson } from '../../../src/simulator/wire.ts';
import type { DialectName } from '../../../src/server/core/chat/request.ts';

/** A call that the upstream received. */
export interface FormatCall {
  readonly format: DialectName;
  readonly stream: boolean;
  /** The body as received. */
  readonly text: string;
}

/**
 * An upstream of all four formats, at `/FORMAT` and, for streams, `/FORMAT/stream`. `answer` returns the text of an event
 * stream or, for a whole reply, an object.
 */
export const startFormatUpstream = async (answer: (call: FormatCall) => string | object) => {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const [, format = '', stream] = (request.url ?? '').split('/');
      const text = Buffer.concat(parts).toString();
      const refused = refusedByMaker(format, asJson(JSON.parse(text)));
      if (refused !== undefined) {
        response.writeHead(400, { 'content-type': 'application/json' });
        return void response.end(
          JSON.stringify({ error: { message: refused, type: 'invalid_request_error' } }),
        );
      }
      const given = answer({ format: format as DialectName, stream: stream === 'stream', text });
      const isStream = typeof given === 'string';
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? given : JSON.stringify(given));
    });
  });
  const url = await listening(server);
  return {
    addressOf: (format: DialectName): string => `${url}/${format}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
