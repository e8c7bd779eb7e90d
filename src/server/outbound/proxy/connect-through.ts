import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { AppError } from '#core/error.ts';
import type { AddressGuard } from '#core/outbound/outbound.ts';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import { ownShortage } from '../connection-failure.ts';
import { isLocalName, refusedAddress } from '../outbound-guard.ts';
import type { Target } from './handshake.ts';
import { openTunnel } from './open-tunnel.ts';
import { proxyFailure } from './proxy-failure.ts';

export interface ThroughOptions {
  /** Resolves the proxy's own name; the proxy resolves the names of upstreams. */
  readonly lookup: LookupFunction;
  readonly allowAddress: AddressGuard;
  /** From the first packet to the end of the last handshake. */
  readonly timeoutMs: number;
}

type Done = (error: Error | undefined, socket: Socket | undefined) => void;

/** Opens a socket to the host of a URL through a proxy; TLS is with the host itself for `https` and `wss`. */
export type ConnectThrough = (proxy: OutboundProxy, url: URL, done: Done) => void;

const LOOPBACK = '127.0.0.1';

/** Connects through proxies, to no host and by no proxy that the guard refuses. */
export const createConnectThrough =
  ({ lookup, allowAddress, timeoutMs }: ThroughOptions): ConnectThrough =>
  (proxy, url, done) => {
    const to = targetOf(url);
    if (!mayReach(to.host, allowAddress) || !mayReach(proxy.host, allowAddress)) {
      done(refusedAddress(), undefined);
      return;
    }
    const { host, port } = proxy;
    const isTls = proxy.scheme === 'https';
    const raw = isTls
      ? connectTls({ host, port, lookup, ...nameOf(host) })
      : connectTcp({ host, port, lookup });
    const finish = once(raw, done);
    const timer = new AwakeTimer(timeoutMs, () => finish(proxyFailure('proxy_late')));
    raw.once('close', () => timer.stop());
    raw.setNoDelay(true);
    const unreachable = (cause: Error): void =>
      finish(
        cause instanceof AppError
          ? cause
          : (ownShortage(cause) ?? proxyFailure('proxy_unreachable', {}, cause)),
      );
    raw.once('error', unreachable);
    raw.once(isTls ? 'secureConnect' : 'connect', () => {
      raw.off('error', unreachable);
      openTunnel(raw, proxy, to, (error) => {
        if (error !== undefined) finish(error);
        else
          secured(raw, url, to.host, (failed, socket) => {
            timer.stop();
            finish(failed, socket);
          });
      });
    });
  };

/** Calls `done` once. After a failure nothing stays open. */
const once = (raw: Socket, done: Done) => {
  let isDone = false;
  return (error: Error | undefined, socket?: Socket): void => {
    if (isDone) return;
    isDone = true;
    if (error !== undefined) {
      raw.on('error', () => undefined);
      raw.destroy();
    }
    done(error, socket);
  };
};

const secured = (raw: Socket, url: URL, host: string, done: Done): void => {
  if (url.protocol !== 'https:' && url.protocol !== 'wss:') {
    done(undefined, raw);
    return;
  }
  const socket = connectTls({ socket: raw, host, ALPNProtocols: ['http/1.1'], ...nameOf(host) });
  // Closing one closes the other; the upper one reports the error.
  raw.on('error', (error) => socket.destroy(error));
  raw.once('close', () => socket.destroy());
  socket.once('close', () => raw.destroy());
  const failed = (error: Error): void => done(error, undefined);
  socket.once('error', failed);
  socket.once('secureConnect', () => {
    socket.off('error', failed);
    done(undefined, socket);
  });
};

const targetOf = (url: URL): Target => ({
  host: url.hostname.replace(/^\[|\]$/g, ''),
  port: Number(url.port) || (url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80),
});

const nameOf = (host: string): { readonly servername?: string } =>
  isIP(host) === 0 ? { servername: host } : {};

/** IP addresses are checked here, because nobody resolves them; local names must not be resolved by a proxy. */
const mayReach = (host: string, allowAddress: AddressGuard): boolean =>
  isIP(host) === 0 ? !isLocalName(host) || allowAddress(LOOPBACK) : allowAddress(host);
