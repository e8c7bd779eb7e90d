import type { OptionValues } from '#contract/options.ts';
import type { TriedSeats } from '#core/channel/open-channels.ts';
import type { Decision } from '#core/channel/select.ts';
import type { ShareWindow } from '#core/channel/share-window.ts';
import type { AppError } from '#core/error.ts';
import type { TryBook } from './attempt-notes.ts';
import type { Haste } from './haste.ts';
import type { LiveAttempt } from '../live-attempt.ts';
import type { Chosen } from '../trial.ts';

/** A request that is sent to one channel after another until one answers. */
export interface Tries<Value, Try extends Chosen> {
  readonly book: TryBook<Try>;
  readonly options: OptionValues;
  /** What is asked of them: their health is known by it. */
  readonly model: string;
  readonly requestId: string;
  readonly userAgent: string | undefined;
  /** False if only one channel may serve it: it was named, or it has what the call continues from. */
  readonly isFree: boolean;
  /** How many may be asked where that is free. Not given: as many as the options say. */
  readonly mostTries?: number;
  /** It may be retried on another channel although this one may have executed it. */
  readonly canRepeat: boolean;
  /** Limits the further attempts of all calls like this one. Not given: there is no such limit. */
  readonly budget?: ShareWindow;
  /** When the next channel is asked although one is still silent. Not given: never. */
  readonly haste?: Haste | undefined;
  /** @param mayWait in a queue, where all are full: nothing of the call runs */
  choose(tried: TriedSeats, mayWait: boolean): Decision | Promise<Decision>;
  /** The error if no channel can be chosen. */
  nobody(decision: Decision): AppError;
  /** What is known of the channel that is asked, before it is. */
  begin(chosen: Chosen): Try;
  ask(attempt: LiveAttempt<Try>): Promise<Value>;
  /** An attempt that was given up is over, perhaps with an answer that nobody takes. */
  drop?(attempt: LiveAttempt<Try>, answer: Value | undefined): void;
  /** Its answer goes on until the attempt is closed; a stream begins with a first token. Not given: it is over at once. */
  readonly answer?: 'stream' | 'whole';
  /** The status of an answer, for the log. */
  readonly status: number;
  /** Decides, instead of the default rule, whether to try another channel and whether to disable this one. */
  readonly judge?: (error: AppError) => { readonly another: boolean; readonly disable: string | undefined };
}
