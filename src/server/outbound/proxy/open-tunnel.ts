import type { Socket } from 'node:net';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import { HEAD, httpConnect, socks5, type Target } from './handshake.ts';
import { proxyFailure } from './proxy-failure.ts';

/** Longer answers of a proxy are refused. */
const ANSWER_MAX_BYTES = 16 * 1024;
const HEAD_END = /\r?\n\r?\n/;

/**
 * Asks the proxy at the other end of `socket` to connect to `to`, and calls `done` once. All later bytes belong to the
 * target; a proxy that sends more than its answer is refused.
 */
export const openTunnel = (
  socket: Socket,
  proxy: OutboundProxy,
  to: Target,
  done: (error: Error | undefined) => void,
): void => {
  const write = (bytes: Buffer | string): void => void socket.write(bytes);
  const talk = (proxy.scheme === 'socks5' ? socks5 : httpConnect)(proxy, to, write);
  let unread: Buffer = Buffer.alloc(0);
  let wanted = 0;

  const finish = (error: Error | undefined): void => {
    socket.off('data', onData);
    socket.off('error', onError);
    socket.off('close', onClose);
    done(error);
  };
  const onError = (cause: Error): void => finish(proxyFailure('proxy_broken', {}, cause));
  const onClose = (): void => finish(proxyFailure('proxy_broken'));
  /** Continues with the bytes received so far. True: the handshake has ended. */
  const advance = (): boolean => {
    for (;;) {
      const end = wanted === HEAD ? endOfHead(unread) : wanted;
      if (end === undefined || unread.length < end) return false;
      const step = talk.next(unread.subarray(0, end));
      unread = unread.subarray(end);
      if (step.done === true) return true;
      wanted = step.value;
    }
  };
  const onData = (bytes: Buffer): void => {
    unread = Buffer.concat([unread, bytes]);
    try {
      if (!advance()) {
        if (unread.length > ANSWER_MAX_BYTES) finish(proxyFailure('proxy_broken'));
      } else finish(unread.length === 0 ? undefined : proxyFailure('proxy_broken'));
    } catch (thrown) {
      finish(thrown instanceof Error ? thrown : proxyFailure('proxy_broken'));
    }
  };
  socket.on('data', onData);
  socket.on('error', onError);
  socket.on('close', onClose);
  const first = talk.next();
  if (first.done !== true) wanted = first.value;
};

const endOfHead = (bytes: Buffer): number | undefined => {
  const found = HEAD_END.exec(bytes.toString('latin1'));
  return found === null ? undefined : found.index + found[0].length;
};
