import type { Usage } from '../chat/usage.ts';
import type { AppError } from '../error.ts';
import type { Service } from '../quota/served-terms.ts';
import type { Fields } from '../json/fields.ts';
import type { User } from '../user/user.ts';
import type { Channel } from './channel.ts';

/** A test that has no answer after this long has failed. */
export const TEST_TIMEOUT_MS = 30_000;

/** A small call that an admin sends through one channel, whatever its status. */
export interface ChannelTestCall {
  readonly requestId: string;
  readonly actor: User;
  readonly channel: Channel;
  /** False for one that stands in a form: what is known of the saved one does not hold for it. */
  readonly isSaved: boolean;
  readonly operation: 'chat' | 'embeddings';
  /** The caller's name of it, before mapping. */
  readonly model: string;
  readonly stream: boolean;
  /** What is asked instead of the usual small question: fields of a chat. */
  readonly body?: Fields;
}

/** One request that went out, and what came back. Nothing in it proves who sent it: stars stand there. */
export interface TestExchange {
  readonly method: string;
  readonly url: string;
  /** The proxy's address without its password; undefined for none. */
  readonly proxy: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 16 KB; empty for a WebSocket. */
  readonly body: string;
  /** 0 where none came. */
  readonly status: number;
  readonly headMs: number | undefined;
  readonly replyHeaders: Readonly<Record<string, string>>;
  /** The first 16 KB. */
  readonly reply: string;
  /** As many came in all, as far as they were read. */
  readonly replyBytes: number;
}

/** What a test came to. Times are milliseconds from its beginning. */
export interface ChannelTestReport {
  /** More than one where the first was asked in a format or with seals the upstream does not take. */
  readonly exchanges: readonly TestExchange[];
  /** The upstream's name of the model, and the format it was spoken to in; undefined where it did not come to that. */
  readonly upstreamModel: string | undefined;
  readonly format: string | undefined;
  /** The tier, speed and place that were asked for and served. */
  readonly service: Service;
  /** What the upstream told that it used, also where it failed. */
  readonly used: Usage | undefined;
  /** Of a stream that began. */
  readonly firstTokenMs: number | undefined;
  readonly totalMs: number;
  /** What was used, or what went wrong. */
  readonly outcome: Usage | AppError;
}

/** Sends a test on the path that calls take. Rejects only for what is wrong inside. */
export type TestChannel = (call: ChannelTestCall) => Promise<ChannelTestReport>;
