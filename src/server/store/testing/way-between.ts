import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a PostgreSQL server that can fall silent, as a network does, without a word to either end. */
export interface WayBetween {
  /** The server's address, by this way. */
  readonly url: string;
  /** Silences every connection made until now; later ones work. */
  fallSilent(): void;
  close(): void;
}

export const wayBetween = async (serverUrl: string): Promise<WayBetween> => {
  const url = new URL(serverUrl);
  const { hostname, port } = url;
  const ways: Socket[] = [];
  const between = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const way of [near, far]) ways.push(way.on('error', () => way.destroy()));
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
  return {
    url: url.href,
    fallSilent: () => {
      for (const way of ways) way.unpipe().pause();
    },
    close: () => {
      between.close();
      for (const way of ways) way.destroy();
    },
  };
};
