import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The faults of a proxy: it refuses, stays silent, hangs up, sends too much, or sends nonsense. */
export const proxyFaults = ['none', 'refuse', 'hang', 'close', 'chatter', 'nonsense'] as const;
export type ProxyFault = (typeof proxyFaults)[number];

/** A requested connection. */
export interface Carried {
  readonly protocol: 'connect' | 'socks5';
  readonly target: string;
  readonly user: string;
}

/** How the proxy behaves, and the connections it was asked for. */
export interface ProxyState {
  fault: ProxyFault;
  /** The password of `operator`; empty: no password needed. */
  password: string;
  /** Names that only this proxy can resolve. */
  readonly names: Map<string, string>;
  readonly carried: Carried[];
}

export const USER = 'operator';

/** Forwards in both directions until either ends. */
export const join = (client: Duplex, upstream: Socket): void => {
  client.pipe(upstream).pipe(client);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.resume();
};
