import type { ConnectSocket } from './message-socket.ts';
import type { OutboundProxy } from './outbound-proxy.ts';
import type { Sender } from './outbound.ts';

type Sends = Pick<Sender, 'send'>;

/** The same sender, using the channel's proxy if it has one. */
export const through = (sender: Sends, proxy: OutboundProxy | undefined): Sends =>
  proxy === undefined ? sender : { send: (request, signal) => sender.send({ ...request, proxy }, signal) };

/** The same for WebSockets. */
export const connectThrough = (
  connect: ConnectSocket | undefined,
  proxy: OutboundProxy | undefined,
): ConnectSocket | undefined =>
  connect === undefined || proxy === undefined
    ? connect
    : (request, signal) => connect({ ...request, proxy }, signal);
