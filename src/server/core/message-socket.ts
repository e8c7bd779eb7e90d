import type { OutboundProxy } from './outbound-proxy.ts';

/** One end of a WebSocket: a caller's or an upstream's. Both are handled the same way. */
export interface MessageSocket {
  send(data: Buffer, isBinary: boolean): void;
  /** Bytes that were sent and are still waiting to leave. */
  readonly waitingBytes: number;
  /** No more messages until `resume`. */
  pause(): void;
  resume(): void;
  /** Says goodbye; a side that does not answer is cut off by `ws` after half a minute. */
  close(code: number, reason: string): void;
  /** Asks whether the other side is still there. */
  ping(): void;
  /** Ends it at once, without a goodbye. */
  cut(): void;
  /** Called when the other side says that it is there. */
  onPong: (() => void) | undefined;
  /** Called for each message, in order. */
  onMessage: ((data: Buffer, isBinary: boolean) => void) | undefined;
  /** Called whenever something that was sent has left. */
  onSent: (() => void) | undefined;
  /** Called once, when either side has closed or the connection is lost. */
  onClose: ((code: number, reason: string) => void) | undefined;
}

/** Opens a WebSocket to an upstream. Rejects with an AppError, as a `Sender` does. */
export type ConnectSocket = (
  request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Default: `realtime`. */
    readonly protocols?: readonly string[];
    /** What carries the connection; none for most. */
    readonly proxy?: OutboundProxy;
  },
  signal: AbortSignal,
) => Promise<MessageSocket>;

/** What this needs of a `ws` socket. */
export interface RawSocket {
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(data: Buffer, options: { binary: boolean }, sent: () => void): void;
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): void;
  ping(): void;
  terminate(): void;
  on(event: 'pong', listener: () => void): unknown;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const OPEN = 1;
/** Codes that say how a connection ended; no side may send them. */
const UNSENDABLE = new Set([1004, 1005, 1006, 1015]);

/** A `ws` socket as a `MessageSocket`. */
export const messageSocket = (raw: RawSocket): MessageSocket => {
  const socket: MessageSocket = {
    onMessage: undefined,
    onPong: undefined,
    onSent: undefined,
    onClose: undefined,
    get waitingBytes() {
      return raw.bufferedAmount;
    },
    send(data, isBinary) {
      if (raw.readyState === OPEN) raw.send(data, { binary: isBinary }, () => socket.onSent?.());
    },
    pause: () => raw.pause(),
    resume: () => raw.resume(),
    ping() {
      if (raw.readyState === OPEN) raw.ping();
    },
    cut: () => raw.terminate(),
    close(code, reason) {
      raw.resume();
      raw.close(UNSENDABLE.has(code) || code < 1000 ? 1000 : code, reason.slice(0, 120));
    },
  };
  raw.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) socket.onMessage?.(data, isBinary);
  });
  raw.on('pong', () => socket.onPong?.());
  raw.on('close', (code, reason) => socket.onClose?.(code, reason.toString()));
  // What went wrong is told by the close that follows.
  raw.on('error', () => undefined);
  return socket;
};
