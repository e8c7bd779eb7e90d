import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SeenKey } from '../../relay/calls.ts';

/** A caller that has read nothing for this long while data waits for it is cut off. */
const UNREAD_MS = 60_000;
/** How long the other side may take to close a connection we have ended. */
const CLOSING_MS = 10_000;
/** The rest of an unwanted body is read and dropped, so that the caller sees the answer; up to this limit. */
const DROPPED_MAX_BYTES = 64 * 1024 * 1024;
const DROPPED_MS = 30_000;
/** How long an idle connection stays open; longer for callers whose key or session was valid. */
const IDLE_MS = 75_000;
const UNKNOWN_IDLE_MS = 15_000;
/** Clients are told that much less: a call that is sent at the last moment may take a while to arrive, and would be lost. */
const UNTOLD_MS = 5000;
/** The same for Node's server. */
export const keptAlive = { keepAliveTimeout: IDLE_MS - UNTOLD_MS, keepAliveTimeoutBuffer: UNTOLD_MS };
/** As long as a body may take over HTTP: a message of a WebSocket, from its first byte to its last. */
const MESSAGE_MS = 120_000;

/** The messages of a WebSocket. */
export interface Messages {
  /** The number of the one that is arriving; undefined while none is. */
  readonly arriving: number | undefined;
  /** Ends the connection: its message took too long. */
  late(): void;
}

/** Node's counts for a socket: bytes given to it, and bytes the kernel has not taken. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'bytesWritten' in value && 'writeQueueSize' in value;

/**
 * Bytes the kernel has taken. Node uses this for its own timeouts; no public API shows the progress of one large write.
 */
const takenBytes = (socket: Socket): number => {
  const handle = '_handle' in socket ? socket._handle : undefined;
  if (!isHandle(handle)) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
};

const NO_KEY: SeenKey = { sent: '', key: '', channelId: undefined, digest: '' };
/** A key is remembered for so many looks; after that it is read anew, so that a connection that waits holds none. */
const KEY_LOOKS = 5;

/** The client of one connection. */
export class Visitor {
  readonly socket: Socket;
  /** Undefined for a trusted proxy, because many clients share it. */
  readonly address: string | undefined;
  /** For a trusted proxy: the address of the client whose request came last, because its answer may be unread. */
  lastClient: string | undefined;
  /** A call on this connection had a valid key or session. */
  isKnown: boolean;
  readonly seenKey: SeenKey = { ...NO_KEY };
  /** Answers that node's server has yet to send, in order. */
  readonly answers = new Set<Pick<ServerResponse, 'socket' | 'writableLength' | 'req' | 'once'>>();
  /** Once the connection is a WebSocket. */
  messages: Messages | undefined;
  #keyLooks = 0;
  #arriving: number | undefined;
  #arrivingSinceMs = 0;
  #takenBytes = 0;
  #takenAtMs: number;
  #endedAtMs: number | undefined;
  #dropping: { readonly untilMs: number; readonly untilBytes: number; isOver: () => boolean } | undefined;

  constructor(socket: Socket, address: string | undefined, nowMs: number) {
    this.socket = socket;
    this.address = address;
    this.isKnown = address === undefined;
    this.#takenAtMs = nowMs;
  }

  /** Bytes of answers buffered in this process, including those that wait for an earlier one. */
  get unreadBytes(): number {
    let bytes = this.socket.writableLength;
    for (const answer of this.answers) if (answer.socket === null) bytes += answer.writableLength;
    return bytes;
  }

  /** When the client last took data, as of the last check. */
  get takenAtMs(): number {
    return this.#takenAtMs;
  }

  get idleMs(): number {
    return this.isKnown ? IDLE_MS : UNKNOWN_IDLE_MS;
  }

  /** How long it stays open, as the client is told, in seconds. */
  get toldIdleSeconds(): number {
    return (this.idleMs - UNTOLD_MS) / 1000;
  }

  /** The answer is written while the rest of the body is still arriving; `isOver` says when it has arrived. */
  dropRest(nowMs: number, isOver: () => boolean): void {
    const untilBytes = this.socket.bytesRead + DROPPED_MAX_BYTES;
    this.#dropping = { untilMs: nowMs + DROPPED_MS, untilBytes, isOver };
  }

  /**
   * Called periodically: cuts the connection if it made no progress, or should have ended, for too long. Forgets its key from
   * time to time.
   */
  look(nowMs: number): void {
    const { socket } = this;
    if (this.#isUnread(nowMs) || this.#isEnded(nowMs) || this.#isDropping(nowMs)) socket.destroy();
    else if (this.messages !== undefined && this.#isTrickled(this.messages, nowMs)) this.messages.late();
    if (this.seenKey.sent !== '') this.#keyLooks += 1;
    if (this.#keyLooks < KEY_LOOKS) return;
    this.#keyLooks = 0;
    Object.assign(this.seenKey, NO_KEY);
  }

  /** Whether a message has taken too long. Time while we do not read does not count. */
  #isTrickled({ arriving }: Messages, nowMs: number): boolean {
    if (arriving === undefined || arriving !== this.#arriving || this.socket.isPaused()) {
      this.#arriving = arriving;
      this.#arrivingSinceMs = nowMs;
      return false;
    }
    return nowMs - this.#arrivingSinceMs >= MESSAGE_MS;
  }

  #isUnread(nowMs: number): boolean {
    const taken = takenBytes(this.socket);
    if (this.socket.writableLength === 0 || taken !== this.#takenBytes) {
      this.#takenBytes = taken;
      this.#takenAtMs = nowMs;
    }
    return nowMs - this.#takenAtMs >= UNREAD_MS;
  }

  #isEnded(nowMs: number): boolean {
    if (!this.socket.writableFinished) return false;
    this.#endedAtMs ??= nowMs;
    return nowMs - this.#endedAtMs >= CLOSING_MS;
  }

  #isDropping(nowMs: number): boolean {
    const dropping = this.#dropping;
    if (dropping === undefined) return false;
    if (!dropping.isOver()) return nowMs >= dropping.untilMs || this.socket.bytesRead > dropping.untilBytes;
    this.#dropping = undefined;
    return false;
  }
}
