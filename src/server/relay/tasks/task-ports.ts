import type { Routing } from '#core/channel/routing.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Log } from '#core/logging.ts';
import type { OutboundBody, Sender } from '#core/outbound.ts';
import type { Task, TaskStore } from '#core/task/task.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { parsed } from '#contract/json-text.ts';
import { AppError } from '#core/error.ts';
import { assertReadAtOnce } from '#core/json/bounds.ts';
import { type Fields, isFields } from '#core/json/fields.ts';
import type { Caller } from '../request/request.ts';
import type { Authenticate } from '../caller/authenticate.ts';
import type { ChannelHealth } from '../route/channel-health.ts';
import type { ShareWindows } from '#core/channel/share-window.ts';
import type { KeyUses } from '../route/key-uses.ts';
import type { SeatRooms } from '../route/seat-rooms.ts';
import type { LivePulses } from '../route/live-pulses.ts';
import type { RelayDeps } from '../ports.ts';
import type { AvailabilityBook } from '../bill/availability-book.ts';
import type { RefusalLog } from '../bill/refusal-log.ts';
import type { TryDeps } from '../route/attempt-notes.ts';

export interface TaskDeps {
  readonly tasks: TaskStore;
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'void'>;
  readonly refusals: RefusalLog;
  readonly health: ChannelHealth;
  readonly keyUses: KeyUses;
  readonly pulses: LivePulses;
  readonly rooms: SeatRooms;
  /** The share of tasks and calls that were retried on another channel, by group and model. */
  readonly retries: ShareWindows;
  readonly metrics: TryDeps['metrics'];
  readonly availability: Pick<AvailabilityBook, 'note'>;
  readonly routing: () => Routing;
  /** Resolves when scheduled prices that are due are in effect. */
  readonly pricesDue?: () => Promise<void>;
  readonly sender: Pick<Sender, 'send'>;
  /** Fetches pictures, through the operator's worker if there is one. */
  readonly pictures: Pick<Sender, 'send'>;
  readonly authenticate: Authenticate;
  readonly channels: RelayDeps['channels'];
  readonly modelRates: RelayDeps['modelRates'];
  readonly checkWords: WordCheck;
  /** Checks an address that a caller gave against the outbound guard. Throws the reason if it is refused. */
  readonly checkUrl: (url: string) => unknown;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Polls upstreams for the state of their tasks. */
export interface TaskPoller {
  /** Polls all unfinished tasks. */
  run(): Promise<void>;
  /** Polls these tasks now. */
  poll(tasks: readonly Task[]): Promise<void>;
}

/** One request about tasks, from the front door. */
export interface TaskCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
  /** Scheme and host as the caller's request named them, such as `https://gateway.example`. */
  readonly origin: string;
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
  /** Reads the whole body, decoded and within its limit, and counts it for this user. */
  readBody(userId: number): Promise<Buffer>;
}

/** The answer to a caller of the task API. */
export type TaskAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      /** Whether and when to retry. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A picture, passed on as it arrives. */
  | { readonly kind: 'picture'; readonly contentType: string; readonly body: OutboundBody };

/** Makes a JSON answer. */
export const json = (body: unknown, status = 200): TaskAnswer => ({ kind: 'json', status, body });

/** Reads a body that must be a JSON object. Throws `invalid_request`. */
export const readObject = async (call: TaskCall, { user }: Pick<Caller, 'user'>): Promise<Fields> => {
  const bytes = await call.readBody(user.id);
  assertReadAtOnce(bytes);
  const body = parsed(bytes.toString());
  if (isFields(body)) return body;
  throw new AppError('invalid_request', 'the body must be a JSON object');
};
