import type { IncomingHttpHeaders } from 'node:http';
import type { DialectName } from '#core/chat/request.ts';
import type { MessageSocket } from '#core/outbound/message-socket.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { Owner, RoomShare } from '#core/limits/shared-room.ts';
import type { Form } from '../dialects/form/form.ts';

/** How a call's answer reaches its caller: the front door's side of one response. */
export interface Reply {
  /** Sends the head. Once only. */
  start(status: number, headers: Readonly<Record<string, string>>): void;
  readonly started: boolean;
  /** False when the caller reads slower than we write: wait for `drained` before writing more. */
  write(bytes: Buffer): boolean;
  /** Resolves when there is room again, or when the caller is gone. */
  drained(): Promise<void>;
  end(bytes?: Buffer): void;
  /** Closes the connection when no well-formed end can be written any more. */
  cut(): void;
  /** The caller's connection closed before the end. */
  readonly gone: boolean;
  /** Called once if the caller goes away before the end. */
  onGone: (() => void) | undefined;
}

/** The last key that came over a connection, with what was computed from it. Forgotten after some seconds. */
export interface SeenKey {
  sent: string;
  key: string;
  channelId: number | undefined;
  digest: string;
}

/** One request to the relay, as the front door hands it over. */
export interface RelayCall {
  readonly operation: RelayOperation;
  /** The caller's format, for chats and for errors. */
  readonly dialect: DialectName;
  readonly headers: IncomingHttpHeaders;
  /** The key in `?key=`, if any. */
  readonly queryKey: string | undefined;
  /** The model, if the path names it. */
  readonly pathModel: string | undefined;
  /** Whether to stream, if the path says so. In such formats the body names neither the model nor the mode. */
  readonly pathStream: boolean | undefined;
  /** How a stream is written: as server-sent events, or as one JSON list. */
  readonly framing: 'events' | 'list';
  readonly playground: boolean;
  readonly requestId: string;
  readonly ip: string;
  readonly path: string;
  /** The known key of its connection, to be read and written. */
  readonly seenKey?: SeenKey | undefined;
  readonly reply: Reply;
  /**
   * The whole body, decoded and within its limit. Read only once the caller is known, because it counts for that user.
   * Throws `payload_too_large`, `unsupported_media_type`, `unavailable`, `rate_limited`.
   */
  readBody(userId: number): Promise<Buffer>;
  /**
   * Reads the body as a form instead; its files are not kept in memory. With `mayComeOn` it may resolve while the body
   * is still arriving. Throws the same errors, and `invalid_request`.
   */
  readForm(userId: number, mayComeOn: boolean): Promise<Form>;
}

/** A caller that asks for a WebSocket. */
export interface RealtimeCall {
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  /** The model from the query; an alias is replaced by its model once the call is served. */
  readonly model: string;
  /** The name the caller used, if it is an alias. */
  readonly askedModel?: string;
  readonly requestId: string;
  readonly ip: string;
  /** The connection closed before it was accepted. */
  readonly signal: AbortSignal;
  /** Accepts the WebSocket. Messages from then on count for this user. Returns undefined if the caller has gone. */
  accept(userId: number): Promise<MessageSocket | undefined>;
  /** Answers over HTTP instead of accepting, and ends the connection. */
  refuse(status: number, body: unknown, headers: Readonly<Record<string, string>>): void;
}

/** A caller that asks for a WebSocket to make calls on. */
export interface ResponsesCall {
  /** What all its calls share. The request id is the connection's. */
  readonly common: Omit<RelayCall, 'reply' | 'readBody'>;
  /** The key that limits per address count this caller by. */
  readonly address: Owner;
  /** The id of its next call. */
  nextRequestId(): string;
  /** Room for the caller's messages, counted for this user. */
  roomFor(userId: number): RoomShare;
  accept: RealtimeCall['accept'];
  refuse: RealtimeCall['refuse'];
}

/** A call about an object an upstream keeps. It is answered, never charged. */
export interface UnbilledCall {
  /** Without its `?`. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
  readonly reply: Reply;
}

/** What to do with a response that an upstream keeps. */
export type KeptOperation = 'read' | 'delete' | 'input-items' | 'cancel';

/** A call about a kept response. The response was charged when it was made. */
export interface KeptCall extends UnbilledCall {
  readonly operation: KeptOperation;
  readonly responseId: string;
}

/** What to do with a conversation, or with one of its items. */
export type ConversationOperation =
  | 'create'
  | 'read-conversation'
  | 'change'
  | 'delete-conversation'
  | 'items'
  | 'add-items'
  | 'read-item'
  | 'delete-item';

/** A call about a conversation. Turns of a conversation are charged when they are answered. */
export interface ConversationCall extends UnbilledCall {
  readonly operation: ConversationOperation;
  /** Empty to create a new one. */
  readonly conversationId: string;
  readonly itemId: string | undefined;
  readBody(userId: number): Promise<Buffer>;
}

/** A small read under a relay token. */
export interface TokenRead {
  readonly what: 'models' | 'model' | 'subscription' | 'usage' | 'token-usage' | 'token-log';
  /** The caller's format, for lists and errors. */
  readonly dialect: DialectName;
  /** The model asked for, if `what` is `model`. */
  readonly model: string;
  /** The query string, which selects the page of a list. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
}

/** Asks how many tokens a prompt has. */
export interface TokenCount extends Omit<TokenRead, 'what' | 'model' | 'query'> {
  readonly pathModel: string | undefined;
  readBody(userId: number): Promise<Buffer>;
}

/** The JSON answer to a small read with a token. */
export interface TokenAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** For a call that is billed separately while its answer reaches the caller as part of another call. */
export const noReply: Reply = {
  start: () => undefined,
  started: true,
  write: () => true,
  drained: () => Promise.resolve(),
  end: () => undefined,
  cut: () => undefined,
  gone: false,
  onGone: undefined,
};
