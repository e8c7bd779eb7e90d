import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a proxy can do instead of its work: say no, say nothing, hang up, talk on, or talk of something else. */
export const proxyFaults = ['none', 'refuse', 'hang', 'close', 'chatter', 'nonsense'] as const;
export type ProxyFault = (typeof proxyFaults)[number];

/** A connection somebody asked for. */
export interface Carried {
  readonly protocol: 'connect' | 'socks5';
  readonly target: string;
  readonly user: string;
}

/** How the proxy behaves, and what it was asked. */
export interface ProxyState {
  fault: ProxyFault;
  /** Asked for as `operator`; empty: everybody may. */
  password: string;
  /** Names only this proxy knows. */
  readonly names: Map<string, string>;
  readonly carried: Carried[];
}

export const USER = 'operator';

/** Both ways, until either ends. */
export const join = (client: Duplex, upstream: Socket): void => {
  client.pipe(upstream).pipe(client);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.resume();
};
