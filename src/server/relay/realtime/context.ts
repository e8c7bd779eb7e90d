import type { Usage } from '#core/chat/usage.ts';
import { countedUsage, turnUsage } from '../../dialects/openai-realtime/openai-realtime.ts';
import {
  nothingSaid,
  type Said,
  saidBefore,
  saidIn,
  saidTogether,
} from '../../dialects/openai-realtime/said.ts';
import { type Session, SOUND_BYTES_PER_SECOND } from '../../dialects/openai-realtime/session.ts';

/** More is held in steps of this, for sound comes in pieces of a few tokens. */
const STEP_TOKENS = 2048;

/** What an answer would have to read and hear: what the last one did, and all that the caller has said since. */
export class Context {
  #heardBytesPerSecond = SOUND_BYTES_PER_SECOND;
  #saidBytesPerSecond = SOUND_BYTES_PER_SECOND;
  #before: Usage | undefined;
  #said = nothingSaid;
  /** What was said since the last answer began, which has not heard it. */
  #later = nothingSaid;

  /** The session is begun, or changed. */
  session({ heardBytesPerSecond, saidBytesPerSecond }: Session): void {
    this.#heardBytesPerSecond = heardBytesPerSecond;
    this.#saidBytesPerSecond = saidBytesPerSecond;
  }

  /** The caller has said something. */
  add(message: Buffer): void {
    const said = saidIn(message, this.#heardBytesPerSecond);
    this.#said = saidTogether(this.#said, said);
    this.#later = saidTogether(this.#later, said);
  }

  /** An answer is begun. */
  begun(): void {
    this.#later = nothingSaid;
  }

  /** An answer is over. */
  ended(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.#before = usage;
    this.#said = this.#later;
  }

  /** What an answer has used that made so much and does not tell. */
  counted(soundBytes: number, textBytes: number): Usage {
    const heard = saidBefore(this.#said, this.#later);
    return countedUsage(soundBytes / this.#saidBytesPerSecond, textBytes, this.#before, heard);
  }

  /** What the next answer may use at most. */
  worst(): Usage {
    return turnUsage(this.#before, this.#said);
  }

  /** The same, and some that may yet be said. */
  roomy(): Usage {
    return turnUsage(this.#before, {
      textTokens: stepUp(this.#said.textTokens),
      soundTokens: stepUp(this.#said.soundTokens),
    } satisfies Said);
  }
}

const stepUp = (tokens: number): number => (Math.ceil(tokens / STEP_TOKENS) + 1) * STEP_TOKENS;
