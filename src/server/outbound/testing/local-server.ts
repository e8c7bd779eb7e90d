import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** The address of a server on this machine, without a slash at the end. */
export const addressOf = (server: Pick<Server, 'address'>): string =>
  `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

/** Lets a server listen on a free port. @returns its address */
export const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return addressOf(server);
};

/** Stops a server without waiting for its connections. */
export const hangUp = (server: HttpServer): void => {
  server.closeAllConnections();
  server.close();
};
