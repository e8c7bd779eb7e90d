import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '#core/address-key.ts';
import { type ClientAddress, createClientAddress } from './client-address.ts';
import type { Connections } from './connections.ts';
import type { Arrival, FrontDoorDeps } from './front-door-deps.ts';

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

/** What all requests of a direct connection have in common. */
interface Direct {
  readonly address: ClientAddress;
  readonly addressKey: string;
  readonly visitor: Arrival['visitor'];
}

/** Determines the client's address and assigns the request id. */
export const createArrivals = (
  { trustedProxies }: Pick<FrontDoorDeps, 'trustedProxies'>,
  connections: Connections,
  nextId: () => string,
) => {
  const addressOf = createClientAddress(trustedProxies);
  const direct = new WeakMap<Socket, Direct>();
  const read = ({ headers, socket }: Asking): Direct => {
    const address = addressOf({
      remoteAddress: socket.remoteAddress,
      forwardedFor: single(headers['x-forwarded-for']),
      forwardedProto: single(headers['x-forwarded-proto']),
    });
    const key = addressKey(address.ip);
    const visitor = connections.of(socket);
    if (visitor !== undefined && visitor.address === undefined) visitor.lastClient = key;
    return { address, addressKey: key, visitor: visitor ?? { isKnown: false, messages: undefined } };
  };
  return (asking: Asking): Arrival => {
    const { headers, socket } = asking;
    const isDirect = headers['x-forwarded-for'] === undefined && headers['x-forwarded-proto'] === undefined;
    // No headers that could vary were sent, so the same socket means the same caller.
    let known = isDirect ? direct.get(socket) : undefined;
    if (known === undefined) {
      known = read(asking);
      if (isDirect) direct.set(socket, known);
    }
    const { ip, secure } = known.address;
    return { requestId: nextId(), ip, secure, addressKey: known.addressKey, visitor: known.visitor };
  };
};

interface Asking {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
}
