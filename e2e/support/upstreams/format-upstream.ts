import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    addressOf: (format: DialectName): string => `${url}/${format}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
