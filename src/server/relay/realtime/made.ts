import type { Usage } from '#core/chat/usage.ts';
import type { TappedMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Held } from '../stages.ts';
import type { Context } from './context.ts';

/** What an answer produced. */
export interface Made {
  readonly usage: Usage | undefined;
  readonly soundBytes: number;
  readonly textBytes: number;
}

/** Counts what is produced since the last answer ended, or the first began. */
export class MadeSoFar {
  #soundBytes = 0;
  #textBytes = 0;

  add({ soundBytes = 0, textBytes = 0 }: TappedMessage): void {
    this.#soundBytes += soundBytes;
    this.#textBytes += textBytes;
  }

  /** An answer has ended: returns what it produced, and begins anew. */
  take(usage: Usage | undefined): Made {
    const made = { usage, soundBytes: this.#soundBytes, textBytes: this.#textBytes };
    this.#soundBytes = 0;
    this.#textBytes = 0;
    return made;
  }
}

/** Notes the usage of a turn: as reported, else counted. */
export const meterTurn = ({ live }: Held, context: Context, { usage, soundBytes, textBytes }: Made): void => {
  const { meter } = live;
  const isCounted = soundBytes > 0 || textBytes > 0;
  meter.finished = true;
  meter.produced = usage !== undefined || isCounted;
  if (meter.produced) meter.reported = usage ?? context.counted(soundBytes, textBytes);
  context.ended(usage);
};
