import type { Routing } from '#core/channel/routing.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { Log } from '#core/logging.ts';
import type { OutboundBody, Sender } from '#core/outbound.ts';
import type { TaskStore } from '#core/task/task.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Authenticate } from '../authenticate.ts';
import type { RelayDeps } from '../ports.ts';
import type { RefusalLog } from '../refusal-log.ts';

export interface TaskDeps {
  readonly tasks: TaskStore;
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'void'>;
  readonly refusals: RefusalLog;
  readonly routing: () => Routing;
  readonly sender: Pick<Sender, 'send'>;
  /** Fetches pictures, by way of the operator's worker where there is one. */
  readonly pictures: Pick<Sender, 'send'>;
  readonly authenticate: Authenticate;
  readonly channels: RelayDeps['channels'];
  readonly modelRates: RelayDeps['modelRates'];
  readonly checkWords: WordCheck;
  /** The outbound guard's look at an address a caller named; throws what is wrong with it. */
  readonly checkUrl: (url: string) => unknown;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** One request about tasks, as the front door hands it over. */
export interface TaskCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
  /** `https://gateway.example`, as the caller spelled it. */
  readonly origin: string;
  /** The whole body within its limit, decoded; it comes only now, and is counted for this user. */
  readBody(userId: number): Promise<Buffer>;
}

export type TaskAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      /** When asking again makes sense. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A picture that is repeated as it comes. */
  | { readonly kind: 'picture'; readonly contentType: string; readonly body: OutboundBody };

export const json = (body: unknown, status = 200): TaskAnswer => ({ kind: 'json', status, body });
