import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/**
 * Listens on this machine only, prints one line of JSON with the address, and ends on a signal, or with standard input
 * where `withParent` asks for it.
 */
export const runServer = (server: Server | HttpServer, port: number, withParent: boolean): void => {
  server.listen(port, '127.0.0.1', () => {
    const address = server.address() as AddressInfo;
    process.stdout.write(
      `${JSON.stringify({ port: address.port, url: `http://127.0.0.1:${address.port}` })}\n`,
    );
  });
  const stop = (): void => {
    server.close(() => process.exit(0));
    if ('closeAllConnections' in server) server.closeAllConnections();
    else process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (withParent) process.stdin.once('end', stop).resume();
};
