import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    addressOf: ({ id }: Replayed): string => `${url}/${encodeURIComponent(id)}`,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
