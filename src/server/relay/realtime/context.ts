import type { Usage } from '#core/chat/usage.ts';
import { countedUsage, turnUsage } from '../../dialects/openai-realtime/openai-realtime.ts';
import {
  noInput,
  type CallerInput,
  inputBefore,
  inputOf,
  addInput,
} from '../../dialects/openai-realtime/caller-input.ts';
import { type Session, AUDIO_BYTES_PER_SECOND } from '../../dialects/openai-realtime/session.ts';

/** The hold grows in steps of this size, because audio comes in pieces of a few tokens. */
const STEP_TOKENS = 2048;

/**
 * The input that the next answer would have to read: the context of the last one, and everything the caller has sent
 * since.
 */
export class Context {
  #inputBytesPerSecond = AUDIO_BYTES_PER_SECOND;
  #outputBytesPerSecond = AUDIO_BYTES_PER_SECOND;
  #before: Usage | undefined;
  #input = noInput;
  /** The input since the last answer began, which that answer does not read. */
  #later = noInput;

  /** Notes that the session has begun or changed. */
  session({ inputBytesPerSecond, outputBytesPerSecond }: Session): void {
    this.#inputBytesPerSecond = inputBytesPerSecond;
    this.#outputBytesPerSecond = outputBytesPerSecond;
  }

  /** Adds a message of the caller. */
  add(message: Buffer): void {
    const input = inputOf(message, this.#inputBytesPerSecond);
    this.#input = addInput(this.#input, input);
    this.#later = addInput(this.#later, input);
  }

  /** Notes that an answer has begun. */
  begun(): void {
    this.#later = noInput;
  }

  /** Notes that an answer has ended. */
  ended(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.#before = usage;
    this.#input = this.#later;
  }

  /** The usage to assume for an answer of this size that reports none. */
  counted(soundBytes: number, textBytes: number): Usage {
    const read = inputBefore(this.#input, this.#later);
    return countedUsage(soundBytes / this.#outputBytesPerSecond, textBytes, this.#before, read);
  }

  /** What the next answer may use at most. */
  worst(): Usage {
    return turnUsage(this.#before, this.#input);
  }

  /** Like `worst`, with room for further input. */
  roomy(): Usage {
    return turnUsage(this.#before, {
      textTokens: stepUp(this.#input.textTokens),
      audioTokens: stepUp(this.#input.audioTokens),
    } satisfies CallerInput);
  }
}

const stepUp = (tokens: number): number => (Math.ceil(tokens / STEP_TOKENS) + 1) * STEP_TOKENS;
