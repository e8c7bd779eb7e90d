import type { BoundSessionStore } from '#core/channel/selection/bound-session-store.ts';
import type {
  ConversationCall,
  KeptCall,
  RealtimeCall,
  RelayCall,
  ResponsesCall,
  TokenAnswer,
  TokenCount,
  TokenRead,
} from './calls.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { KeyNews } from '#core/channel/keys/key-state.ts';
import type { SeatRoom } from '#core/channel/seats/seat-room.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { DialectName } from '#core/chat/request.ts';
import type { AvailabilityStore } from '#core/availability/availability.ts';
import type { EvidenceStore } from '#core/evidence/evidence.ts';
import type { HouseCostStore } from '#core/cost/house-cost-store.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { BackgroundResponseStore } from '#core/kept/background-response.ts';
import type { KeptResponseStore } from '#core/kept/kept-response.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { Log } from '#core/logging.ts';
import type { ConnectSocket } from '#core/outbound/message-socket.ts';
import type { ModelRateLimiter } from '#core/limits/model-rate-limiter.ts';
import type { News } from '#core/news.ts';
import type { PlainOperation } from '#core/operation.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { TokenStore } from '#core/token/token-store.ts';
import type { User } from '#core/user/user.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Dialect, Wire } from '../dialects/dialect.ts';
import type { Upstream } from '../dialects/upstream.ts';
import type { AnswerRoom } from './answer/answer-room.ts';
import type { FarThreads } from './far/far-wire.ts';
import type { IncomingHttpHeaders } from 'node:http';

/** The outcome of a call that had a hold. */
export interface SettledCall {
  readonly model: string;
  readonly group: string;
  /** 0 if none was chosen. */
  readonly channelId: number;
  /** `ok`, or the error's code. */
  readonly outcome: string;
  /** What was charged; undefined if the hold was given back. */
  readonly usage: Usage | undefined;
  readonly durationMs: number;
  /** Only for streams that began. */
  readonly firstTokenMs: number | undefined;
}

/** What the relay tells the metrics. */
export interface RelayMetrics {
  /** A call refused before it cost anything, by error code. */
  refused(code: string): void;
  opened(stream: boolean): void;
  /** `outcome`: `ok`, `client_left`, or the error's code. */
  closed(stream: boolean, outcome: string, durationMs: number, firstByteMs: number | undefined): void;
  attemptFailed(channelId: number, channelType: number, status: number): void;
  /** A call with a hold has ended. */
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

/** Everything the data plane is given: stores, clocks, connections to upstreams, and listeners. */
export interface RelayDeps {
  readonly tokens: Pick<TokenStore, 'byKeyMac'>;
  readonly vault: Pick<Vault, 'mac'>;
  readonly ledger: Ledger;
  readonly logs: Pick<LogStore, 'appendCall' | 'page'>;
  readonly keptResponses: Pick<KeptResponseStore, 'add' | 'find' | 'holders' | 'forget'>;
  readonly boundSessions: BoundSessionStore;
  readonly backgroundResponses: BackgroundResponseStore;
  /** Whether another relay of this process is sending a reader the response of that hold right now. */
  readonly isHeardElsewhere?: (holdId: string) => Promise<boolean>;
  /** The current configuration. */
  readonly routing: () => Routing;
  /** Resolves when scheduled prices that are due are in effect, or when waiting for them is no longer worthwhile. */
  readonly pricesDue?: () => Promise<void>;
  /**
   * Resolves when the routing is no older than these names of groups, which were read from the store: a group may have
   * been renamed just now.
   */
  readonly groupsReady?: (...names: readonly string[]) => Promise<void>;
  readonly upstreamOf: (channelType: number) => Upstream | undefined;
  readonly modelRates: ModelRateLimiter;
  /** The formats a caller may speak in a chat. */
  readonly dialects: Readonly<Record<DialectName, Dialect>>;
  /** The formats of operations that are never converted. */
  readonly wires: Readonly<Record<PlainOperation, Wire>>;
  readonly sender: Pick<Sender, 'send'>;
  /** Without them large bodies are parsed on the main thread, which blocks other calls. */
  readonly farThreads?: FarThreads;
  /** The memory of whole answers; a new one by default. */
  readonly answers?: AnswerRoom;
  /** Without it there are no realtime calls. */
  readonly connectSocket?: ConnectSocket;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: RelayMetrics;
  /** Counts the use of channels and keys; without it their limits are not enforced. */
  readonly seatRoom?: SeatRoom;
  /** News to and from other relays and nodes; without it this relay works alone. */
  readonly news?: News;
  /** Wrong keys by address. */
  readonly wrongKeys: WrongKeys;
  readonly houseCosts: Pick<HouseCostStore, 'add'>;
  readonly evidence: Pick<EvidenceStore, 'add'>;
  readonly availability: Pick<AvailabilityStore, 'add'>;
  readonly log: Log;
  readonly channels: {
    /** Disables a channel because of an upstream error, once, and rebuilds the routing. Returns at once. */
    autoDisable(channelId: number, reason: string): void;
    /** Records what a failed call said about one of a channel's several keys. Returns at once. */
    keyRefused(news: KeyNews): void;
    /** Records that the trial of a waiting key succeeded. Returns at once. */
    keyWorks(channelId: number, keyId: number): void;
    /** Takes the single trial of a key that has waited; false if another relay or node has taken it. */
    takeKeyTrial(channelId: number, keyId: number): Promise<boolean>;
    /** Records that a call was sent through a channel. Costs one map lookup. */
    seen(channelId: number, group: string, userAgent: string | undefined): void;
    /**
     * Tells the admins, from time to time, that a model costs more at that channel than this group pays. Returns at
     * once.
     */
    soldBelowCost(channelId: number, model: string, group: string): void;
  };
  /** The signed-in user of a playground call, `New-Api-User` checked; throws an `AppError` otherwise. */
  readonly playgroundUser: (headers: IncomingHttpHeaders) => Promise<User>;
}

/** The data plane, as the front door calls it. */
export interface Relay {
  /** Serves a realtime call to its end and charges each answer. Never rejects. Undefined if not offered. */
  readonly realtime?: (call: RealtimeCall) => Promise<void>;
  /** Serves a connection that makes calls of the Responses format, to its end. Never rejects. Undefined if not offered. */
  readonly responses?: (call: ResponsesCall) => Promise<void>;
  /** Always answers the call; never rejects. */
  serve(call: RelayCall): Promise<void>;
  /** `GET /v1/models`, `GET /v1/models/:id` and the billing pages: small reads under a token. */
  read(call: TokenRead): Promise<TokenAnswer>;
  /** Reads, deletes or cancels a response an upstream keeps. Never rejects. */
  kept(call: KeptCall): Promise<void>;
  /** Creates, reads, changes or deletes a conversation an upstream keeps. Never rejects. */
  conversation(call: ConversationCall): Promise<void>;
  /** How many tokens a prompt is, by our own count. */
  count(call: TokenCount): Promise<TokenAnswer>;
  /** Forgets a token that was changed or deleted: its next use reads the store. */
  invalidateToken(tokenId: number): void;
  invalidateUser(userId: number): void;
  /** Refuses new calls from now on, ends running ones after `graceMs` with an error, and resolves when all are settled. */
  stop(graceMs: number): Promise<void>;
}
