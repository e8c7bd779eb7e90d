import type { Usage } from '../chat/usage.ts';
import type { AppError } from '../error.ts';
import type { Service } from '../quota/served-terms.ts';
import type { Fields } from '../json/fields.ts';
import type { User } from '../user/user.ts';
import type { Channel } from './channel.ts';

/** A test without an answer after this time has failed. */
export const TEST_TIMEOUT_MS = 30_000;

/** A small call that an administrator sends through one channel, whatever the channel's status. */
export interface ChannelTestCall {
  readonly requestId: string;
  readonly actor: User;
  readonly channel: Channel;
  /** False for a channel that is only being edited: what is known about the saved one does not apply to it. */
  readonly isSaved: boolean;
  readonly operation: 'chat' | 'embeddings';
  /** The model's name as callers know it, before mapping. */
  readonly model: string;
  readonly stream: boolean;
  /** Fields of a chat request that replace the usual short question. */
  readonly body?: Fields;
}

/** One request that was sent, and its response. Credentials are replaced by stars. */
export interface TestExchange {
  readonly method: string;
  readonly url: string;
  /** The proxy's address without its password; undefined if there is no proxy. */
  readonly proxy: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 16 KB; empty for a WebSocket. */
  readonly body: string;
  /** 0 if there was no response. */
  readonly status: number;
  readonly headMs: number | undefined;
  readonly replyHeaders: Readonly<Record<string, string>>;
  /** The first 16 KB of the response. */
  readonly reply: string;
  /** The size of the whole response, as far as it was read. */
  readonly replyBytes: number;
}

/** The result of a test. Times are in milliseconds from its start. */
export interface ChannelTestReport {
  /** More than one if the upstream did not accept the format or the signatures of the first request. */
  readonly exchanges: readonly TestExchange[];
  /** The upstream's name for the model and the format of the request; undefined if no request was made. */
  readonly upstreamModel: string | undefined;
  readonly format: string | undefined;
  /** The service tier, speed and region requested and served. */
  readonly service: Service;
  /** The usage the upstream reported, also if the test failed. */
  readonly used: Usage | undefined;
  /** Set if a stream began. */
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  /** The usage, or the error. */
  readonly outcome: Usage | AppError;
}

/** Sends a test the same way calls are sent. Rejects only after an internal error. */
export type TestChannel = (call: ChannelTestCall) => Promise<ChannelTestReport>;
