import type { Usage } from '#core/chat/usage.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Delivery } from '#core/delivery.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { DialectName } from '#core/chat/request.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { BackgroundResponseStore } from '#core/kept/background-response.ts';
import type { KeptResponseStore } from '#core/kept/kept-response.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Log } from '#core/logging.ts';
import type { ConnectSocket, MessageSocket } from '#core/message-socket.ts';
import type { ModelRateLimiter } from '#core/model-rate-limiter.ts';
import type { Operation, PlainOperation, RelayOperation } from '#core/operation.ts';
import type { Sender } from '#core/outbound.ts';
import type { TokenStore } from '#core/token/token-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/vault.ts';
import type { Dialect, Egress, Wire } from '../dialects/dialect.ts';
import type { Form } from '../dialects/form.ts';
import type { Frame } from '../dialects/frame.ts';
import type { FarThreads } from './far/far-wire.ts';
import type { ConversationCall } from './kept/conversation-calls.ts';
import type { KeptCall } from './kept/kept-calls.ts';
import type { IncomingHttpHeaders } from 'node:http';

export interface UpstreamCall {
  readonly operation: RelayOperation;
  /** The upstream's name of the model, after mapping. */
  readonly model: string;
  readonly stream: boolean;
  /** The format a chat is sent in. */
  readonly dialect?: string;
  /** The body is the caller's own, and not written here. */
  readonly isRepeated?: boolean;
  readonly options?: OptionValues;
  readonly callerHeaders?: IncomingHttpHeaders;
}

/** What the relay needs of a provider; every `Provider` is one. */
export interface Upstream extends Delivery {
  readonly dialect: Egress;
  dialectFor?(model: string, channel: Channel): Egress | undefined;
  betterFor?(model: string, caller: string): Egress | undefined;
  readonly natives?: readonly Dialect[];
  readonly operations: readonly Operation[];
  /** Those whose form this upstream reads as JSON: `adjust` finds the files in memory. */
  readonly formsAsJson?: readonly Operation[];
  /** What it reads is never a body of the format alone. */
  readonly hasOwnEnvelope?: true;
  address(
    channel: Channel,
    call: UpstreamCall,
  ): { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  adjust?(
    body: Readonly<Record<string, unknown>>,
    call: UpstreamCall,
    channel: Channel,
  ): Readonly<Record<string, unknown>>;
  frames?(bytes: AsyncIterable<Buffer>): AsyncIterable<Frame>;
  readReply?(body: unknown, call: UpstreamCall, asked: Readonly<Record<string, unknown>>): unknown;
  readError?: Wire['readError'];
}

/** What a call that was held came to. */
export interface SettledCall {
  readonly model: string;
  readonly group: string;
  /** 0 where none was chosen. */
  readonly channelId: number;
  /** `ok`, or the error's code. */
  readonly outcome: string;
  /** What it is charged for; undefined where it was given back. */
  readonly usage: Usage | undefined;
  readonly durationMs: number;
  /** Of a stream that began. */
  readonly firstTokenMs: number | undefined;
}

/** What the relay tells the metrics. */
export interface RelayMetrics {
  /** Turned away before it cost anything, by the error's code. */
  refused(code: string): void;
  opened(stream: boolean): void;
  /** `outcome`: `ok`, `client_left`, or the error's code. */
  closed(stream: boolean, outcome: string, durationMs: number, firstByteMs: number | undefined): void;
  attemptFailed(channelId: number, channelType: number, status: number): void;
  /** A call that was held has ended. */
  settled(call: SettledCall): void;
  holdOpened(): void;
  holdClosed(): void;
  charged(quotaUnits: number, houseLossUnits: number): void;
}

/** How many wrong keys an address has sent lately. */
export interface WrongKeys {
  count(ip: string, windowMs: number, nowMs: number): number;
  add(ip: string, windowMs: number, nowMs: number): void;
}

export interface RelayDeps {
  readonly tokens: Pick<TokenStore, 'byKeyMac'>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly ledger: Ledger;
  readonly logs: Pick<LogStore, 'appendCall' | 'page'>;
  readonly keptResponses: Pick<KeptResponseStore, 'add' | 'find' | 'holders' | 'forget'>;
  readonly backgroundResponses: BackgroundResponseStore;
  /** The configuration of this moment. */
  readonly routing: () => Routing;
  readonly upstreamOf: (channelType: number) => Upstream | undefined;
  readonly modelRates: ModelRateLimiter;
  /** The formats a caller may speak in a chat. */
  readonly dialects: Readonly<Record<DialectName, Dialect>>;
  /** The formats of what is never converted. */
  readonly wires: Readonly<Record<PlainOperation, Wire>>;
  readonly sender: Pick<Sender, 'send'>;
  /** Without them large bodies are read in the thread that answers everybody. */
  readonly farThreads?: FarThreads;
  /** Without it there are no realtime calls. */
  readonly connectSocket?: ConnectSocket;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: RelayMetrics;
  /** Wrong keys by address. */
  readonly wrongKeys: WrongKeys;
  readonly log: Log;
  readonly channels: {
    /** Switches a channel off because of an upstream's error, once, and rebuilds the routing. Returns at once. */
    autoDisable(channelId: number, reason: string): void;
    /** A call is sent through a channel. Costs a map lookup. */
    seen(channelId: number, group: string, userAgent: string | undefined): void;
  };
  /** The signed-in user of a playground call, `New-Api-User` checked; throws an `AppError` otherwise. */
  readonly playgroundUser: (headers: IncomingHttpHeaders) => Promise<User>;
}

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
  /** Cuts the connection: nothing well-formed can be said any more. */
  cut(): void;
  /** The caller's connection closed before the end. */
  readonly gone: boolean;
  /** Called once if the caller goes away before the end. */
  onGone: (() => void) | undefined;
}

/** One request to the relay, as the front door hands it over. */
export interface RelayCall {
  readonly operation: RelayOperation;
  /** The format the caller speaks: of a chat, of errors. */
  readonly dialect: DialectName;
  readonly headers: IncomingHttpHeaders;
  /** `?key=`, where one was given. */
  readonly queryKey: string | undefined;
  /** The model, where the path names it. */
  readonly pathModel: string | undefined;
  /** Whether to stream, where the path says so: then the body says neither this nor the model. */
  readonly pathStream: boolean | undefined;
  /** How a stream is written down: as server-sent events, or as one JSON list. */
  readonly framing: 'events' | 'list';
  readonly playground: boolean;
  readonly requestId: string;
  readonly ip: string;
  readonly path: string;
  readonly reply: Reply;
  /**
   * The whole body within its limit, decoded. It comes only now, when somebody is known who it is counted for. Throws
   * `payload_too_large`, `unsupported_media_type`, `unavailable`, `rate_limited`.
   */
  readBody(userId: number): Promise<Buffer>;
  /**
   * The body as a form, instead; its files are not in memory. With `mayComeOn` it may still be coming. Throws the same,
   * and `invalid_request`.
   */
  readForm(userId: number, mayComeOn: boolean): Promise<Form>;
}

/** A caller that asks for a WebSocket. */
export interface RealtimeCall {
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  /** The model, from the query. */
  readonly model: string;
  readonly requestId: string;
  readonly ip: string;
  /** The connection closed before it was accepted. */
  readonly signal: AbortSignal;
  /** Becomes a WebSocket; undefined when the caller has gone. */
  accept(): Promise<MessageSocket | undefined>;
  /** Stays HTTP: an answer and the end. */
  refuse(status: number, body: unknown, headers: Readonly<Record<string, string>>): void;
}

export interface Relay {
  /** Serves a realtime call to its end, charged answer by answer. Never rejects. Not given: not offered. */
  readonly realtime?: (call: RealtimeCall) => Promise<void>;
  /** Answers the call, whatever happens; never rejects. */
  serve(call: RelayCall): Promise<void>;
  /** `GET /v1/models`, `GET /v1/models/:id` and the billing pages: small reads under a token. */
  read(call: TokenRead): Promise<TokenAnswer>;
  /** A response an upstream keeps: given again, deleted, cancelled. Never rejects. */
  kept(call: KeptCall): Promise<void>;
  /** A conversation an upstream keeps: made, read, changed, deleted. Never rejects. */
  conversation(call: ConversationCall): Promise<void>;
  /** How many tokens a prompt is, by our own count. */
  count(call: TokenCount): Promise<TokenAnswer>;
  /** A token was changed or deleted: its key is looked up again at its next use. */
  invalidateToken(tokenId: number): void;
  invalidateUser(userId: number): void;
  /** Refuses new calls from now on, ends running ones after `graceMs` with an error, and resolves when all are settled. */
  stop(graceMs: number): Promise<void>;
}

/** A small read under a relay token. */
export interface TokenRead {
  readonly what: 'models' | 'model' | 'subscription' | 'usage' | 'token-usage' | 'token-log';
  /** The format the caller speaks: of lists, of errors. */
  readonly dialect: DialectName;
  /** The model asked for, of `model`. */
  readonly model: string;
  /** What stands behind the path: which page of a list. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
}

/** Asks how many tokens a prompt is. */
export interface TokenCount extends Omit<TokenRead, 'what' | 'model' | 'query'> {
  readonly pathModel: string | undefined;
  readBody(userId: number): Promise<Buffer>;
}

export interface TokenAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
