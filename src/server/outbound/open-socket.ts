import { connect, isIP, type Socket } from 'node:net';
import { AppError } from '#core/error.ts';
import type { AddressGuard } from '#core/outbound/outbound.ts';
import { CONNECT_TIMEOUT_MS } from './connect-timeout.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';

/**
 * Opens TCP sockets for other protocols than HTTP, under the same guard as calls to upstreams. Rejects with
 * `address_refused` where a name resolves to an address that is not allowed.
 */
export const createOpenSocket =
  ({ allowAddress }: { readonly allowAddress: AddressGuard }) =>
  (host: string, port: number): Promise<Socket> =>
    new Promise((resolve, reject) => {
      if (isIP(host) !== 0 && !allowAddress(host)) {
        reject(refusedAddress());
        return;
      }
      const socket = connect({ host, port, lookup: guardedLookup(allowAddress) });
      const failed = (cause: Error): void => {
        socket.destroy();
        reject(cause);
      };
      socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
        failed(new AppError('upstream_timeout', `no connection to ${host}:${port} in time`)),
      );
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.removeListener('error', failed);
        socket.removeAllListeners('timeout');
        socket.setTimeout(0);
        resolve(socket);
      });
    });
