import { AwakeTimer } from '../time/awake-timer.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

/** Reasons to close (RFC 6455, section 7.4.1). */
export const closeCode = {
  normal: 1000,
  goingAway: 1001,
  policy: 1008,
  upstreamLost: 1011,
  tryLater: 1013,
} as const;

/** Close codes that mean the other side was lost or broke the protocol. */
const LOST: ReadonlySet<number> = new Set([0, 1002, 1006, 1007, 1009]);
export const isLost = (code: number): boolean => LOST.has(code);

/** While more than this is waiting to be sent to one side, the other side is not read. */
export const PAUSE_ABOVE_BYTES = 1024 * 1024;

/** One end of a WebSocket, the caller's or the upstream's; both work the same way. */
export interface MessageSocket {
  send(data: Buffer, isBinary: boolean): void;
  /** Sent bytes that have not left yet. */
  readonly waitingBytes: number;
  /** Stops reading messages until `resume`. */
  pause(): void;
  resume(): void;
  /** While true, nothing from the other side is noticed, not even its answers to pings. */
  readonly isPaused: boolean;
  /** Sends a close; `ws` cuts off a side that does not answer within half a minute. */
  close(code: number, reason: string): void;
  /** Sends a ping to find out whether the other side is alive. */
  ping(): void;
  /** Ends the connection at once, without a close message. */
  cut(): void;
  /** Called when the other side answers a ping. */
  onPong: (() => void) | undefined;
  /** Called for each message, in order. */
  onMessage: ((data: Buffer, isBinary: boolean) => void) | undefined;
  /** Called whenever sent data has left. */
  onSent: (() => void) | undefined;
  /** Called once, when either side has closed or the connection is lost. */
  onClose: ((code: number, reason: string) => void) | undefined;
}

/** Sends a message of text, given as its bytes. */
export const sendText = (socket: Pick<MessageSocket, 'send'>, text: Buffer): void => socket.send(text, false);

/** Opens a WebSocket to an upstream. Rejects with an AppError, as a `Sender` does. */
export type ConnectSocket = (
  request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Default: `realtime`. */
    readonly protocols?: readonly string[];
    /** The proxy for the connection; most have none. */
    readonly proxy?: OutboundProxy;
  },
  signal: AbortSignal,
) => Promise<MessageSocket>;

/** The part of a `ws` socket that is used here. It leaves pings to us: its option `autoPong` is false. */
export interface RawSocket {
  readonly bufferedAmount: number;
  readonly readyState: number;
  readonly isPaused: boolean;
  send(data: Buffer, options: { binary: boolean }, sent: () => void): void;
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): void;
  ping(): void;
  pong(data: Buffer): void;
  terminate(): void;
  on(event: 'ping', listener: (data: Buffer) => void): unknown;
  on(event: 'pong', listener: () => void): unknown;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number, reason: Buffer) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

const OPEN = 1;
/**
 * The shortest interval between answers to a side that pings without pause: an answer costs ten times what its ping
 * does.
 */
const PONG_EVERY_MS = 100;

/** Answers pings; of several in a row only the last (RFC 6455, 5.5.3). */
const answerPings = (raw: RawSocket): void => {
  let last: Buffer | undefined;
  let timer: AwakeTimer | undefined;
  const answer = (): void => {
    timer = undefined;
    if (last === undefined || raw.readyState !== OPEN) return;
    raw.pong(last);
    last = undefined;
    timer = new AwakeTimer(PONG_EVERY_MS, answer);
  };
  raw.on('ping', (data) => {
    last = data;
    if (timer === undefined) answer();
  });
};
/** Close codes that only report how a connection ended; a side must not send them. */
const UNSENDABLE = new Set([1004, 1005, 1006, 1015]);

/** Wraps a `ws` socket as a `MessageSocket`. */
export const messageSocket = (raw: RawSocket): MessageSocket => {
  const socket: MessageSocket = {
    onMessage: undefined,
    onPong: undefined,
    onSent: undefined,
    onClose: undefined,
    get waitingBytes() {
      return raw.bufferedAmount;
    },
    get isPaused() {
      return raw.isPaused;
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
  answerPings(raw);
  raw.on('pong', () => socket.onPong?.());
  raw.on('close', (code, reason) => socket.onClose?.(code, reason.toString()));
  // The close event that follows says what went wrong.
  raw.on('error', () => undefined);
  return socket;
};
