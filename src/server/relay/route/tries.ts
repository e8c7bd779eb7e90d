import type { OptionValues } from '#contract/options.ts';
import type { TriedSeats } from '#core/channel/selection/open-channels.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import type { ShareWindow } from '#core/channel/health/share-window.ts';
import type { AppError } from '#core/error.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { TryBook } from './attempt-notes.ts';
import type { Haste } from './haste.ts';
import type { IfFull } from './seat-rooms.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../destination.ts';

/** A request that is sent to one channel after another until one answers. */
export interface Tries<Value, Try extends Chosen> {
  readonly book: TryBook<Try>;
  readonly options: OptionValues;
  /** The model, which health is recorded for, with the kind of call. */
  readonly model: string;
  /** Default: a chat. */
  readonly operation?: RelayOperation;
  /** The user whose call it is. Default: its failures count for everybody's calls. */
  readonly userId?: number;
  readonly requestId: string;
  readonly userAgent: string | undefined;
  /** False if only one channel may serve it, because the caller named it or it keeps what the call continues from. */
  readonly isFree: boolean;
  /** The most channels to ask, if the choice is free. Default: the option. */
  readonly mostTries?: number;
  /** Whether another channel may be tried although this one may have executed the call. */
  readonly canRepeat: boolean;
  /** Whether tools of the upstream may have acted before it refused the call. Default: no. */
  readonly mayHaveActed?: boolean;
  /** Limits the retries of all calls like this one. Default: no limit. */
  readonly budget?: ShareWindow;
  /** When to ask another channel although one is still silent. Default: never. */
  readonly haste?: Haste | undefined;
  /**
   * How long a channel that is known to fail may be silent before another is asked as well. Default: as long as any
   * channel.
   */
  readonly probeMs?: number | undefined;
  choose(tried: TriedSeats, ifFull: IfFull): Decision | Promise<Decision>;
  /** The error if no channel can be chosen. */
  nobody(decision: Decision): AppError;
  /** Starts an attempt: returns what is known of the channel before it is asked. */
  begin(chosen: Chosen): Try;
  ask(attempt: LiveAttempt<Try>): Promise<Value>;
  /** Called once per attempt, when it has answered or failed. */
  ended?(attempt: LiveAttempt<Try>, how: 'answered' | 'failed'): void;
  /** Called when an attempt has failed. */
  fail?(attempt: LiveAttempt<Try>, error: AppError): void;
  /** Called when a stopped attempt has ended, with its answer if there is one. */
  drop?(attempt: LiveAttempt<Try>, answer: Value | undefined): void;
  /**
   * Set if the answer continues until the attempt is closed; a stream begins with a first token. Default: the attempt
   * is over once it answers.
   */
  readonly answer?: 'stream' | 'whole';
  /** The status of an answer, for the log. */
  readonly status: number;
  /** Replaces the default rule for whether to try another channel and whether to disable this one. */
  readonly judge?: (error: AppError) => { readonly another: boolean; readonly disable: string | undefined };
}
