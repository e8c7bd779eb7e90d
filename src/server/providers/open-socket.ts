import { connect, isIP } from 'node:net';
import { AppError } from '#core/error.ts';
import type { AddressGuard, OpenSocket } from '#core/outbound.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** TCP under the same guard as calls to upstreams, for protocols that are not HTTP. */
export const createOpenSocket =
  ({ allowAddress }: { readonly allowAddress: AddressGuard }): OpenSocket =>
  (host, port) =>
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
