import type { AppError } from '#core/error.ts';
import type { Usage } from '#core/chat/usage.ts';
import type { Masking } from '../answer/mask.ts';
import type { Held } from '../stages.ts';
import type { WhenCharged, Words } from './transcripts.ts';

/** What a realtime conversation is given. */
export interface ConversationDeps {
  /** What the caller must not see. */
  readonly masking: Masking;
  /** Closes a turn's hold: charges what its meter says, or gives it back. */
  readonly settle: (turn: Held) => Promise<void>;
  /** Holds the next turn. Throws if it cannot be paid. */
  readonly next: (turn: Held, worst: Usage) => Promise<Held>;
  /** Makes the hold of a running turn larger. Throws if that cannot be paid. */
  readonly grow: (turn: Held, worst: Usage) => Promise<void>;
  /** Saves the cost of a running turn so far, which is charged if the process is killed. */
  readonly save: (turn: Held, used: Usage) => void;
  /** Whether prices have changed since this turn's hold was made. */
  readonly isOutdated: (turn: Held) => boolean;
  /**
   * Charges the transcription of the caller's words by another model.
   *
   * @returns whether it is charged
   */
  readonly charge: (words: Words, when: WhenCharged) => Promise<boolean>;
  /** What is forwarded of the caller's message, which may name the model as the upstream does. Throws if it must not be. */
  readonly check: (turn: Held, message: Buffer, namedModel: string | undefined) => Buffer;
  /** Writes an error event; `message` is the message it is about, if any. */
  readonly writeError: (error: AppError, message?: Buffer) => unknown;
}
