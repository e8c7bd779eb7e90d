import { createServer } from 'node:http';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import type { Exchange } from './recordings.ts';

/** The part of an exchange that is replayed. */
export type Replayed = Pick<Exchange, 'id' | 'status' | 'answer'>;

/** An upstream that answers `/ID/…` with the recorded bytes of that exchange. */
export const startReplay = async (exchanges: readonly Replayed[]) => {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const server = createServer((request, response) => {
    request.resume();
    const id = decodeURIComponent((request.url ?? '').split('/')[1] ?? '');
    const exchange = byId.get(id);
    if (exchange === undefined) return void response.writeHead(404).end();
    response.writeHead(exchange.status, { 'content-type': exchange.answer.contentType });
    response.end(exchange.answer.bytes);
  });
  const url = await listening(server);
  return {
    addressOf: ({ id }: Replayed): string => `${url}/${encodeURIComponent(id)}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
