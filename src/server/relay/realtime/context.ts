import { noUsage, type Usage } from '#core/chat/usage.ts';
import { countedUsage, turnUsage } from '../../dialects/openai-realtime/openai-realtime.ts';
import {
  noInput,
  type CallerInput,
  inputBefore,
  inputOf,
  addInput,
  readsOtherwise,
  wishedSession,
} from '../../dialects/openai-realtime/caller-input.ts';
import { type Session, AUDIO_BYTES_PER_SECOND } from '../../dialects/openai-realtime/session.ts';

/** The hold grows in steps of this size, because audio comes in pieces of a few tokens. */
const STEP_TOKENS = 2048;

/**
 * Tracks the input that the next answer would have to read: the context of the last answer, and everything the caller
 * has sent since.
 */
export class Context {
  #inputBytesPerSecond = AUDIO_BYTES_PER_SECOND;
  #outputBytesPerSecond = AUDIO_BYTES_PER_SECOND;
  /** The speed of sound in the running answer. */
  #spokenBytesPerSecond = AUDIO_BYTES_PER_SECOND;
  #before: Usage | undefined;
  #input = noInput;
  /** The input since the last answer began, which that answer does not read. */
  #later = noInput;
  /** How the answers that may not have ended yet deviate from reading the whole conversation. */
  readonly #otherwise = new Set<'outside' | 'own input'>();

  /** The model, as the upstream names it in its session. */
  namedModel: string | undefined;

  /** Notes that the session has begun or changed. */
  session({ model, inputBytesPerSecond, outputBytesPerSecond }: Session): void {
    this.namedModel = model ?? this.namedModel;
    this.#inputBytesPerSecond = inputBytesPerSecond;
    this.#outputBytesPerSecond = outputBytesPerSecond;
    this.#spokenBytesPerSecond = outputBytesPerSecond;
  }

  /** Adds a message of the caller. */
  add(message: Buffer): void {
    const how = readsOtherwise(message);
    if (how !== undefined) this.#otherwise.add(how);
    const wished = wishedSession(message)?.inputBytesPerSecond ?? Infinity;
    this.#inputBytesPerSecond = Math.min(this.#inputBytesPerSecond, wished);
    const input = inputOf(message, this.#inputBytesPerSecond);
    this.#input = addInput(this.#input, input);
    this.#later = addInput(this.#later, input);
  }

  /** Notes that an answer has begun, which may be spoken in a format of its own. */
  begun(format?: Session): void {
    this.#later = noInput;
    this.#spokenBytesPerSecond = format?.outputBytesPerSecond ?? this.#outputBytesPerSecond;
  }

  /**
   * Notes that an answer has ended. If it may have read only a part of the conversation, the next one reads all that was
   * there before.
   * @param isLast no other answer is running
   */
  ended(usage: Usage | undefined, isApart: boolean | undefined, isLast: boolean): void {
    const isDoubtful =
      this.#otherwise.has('own input') || (isApart === undefined && this.#otherwise.size > 0);
    if (isLast) this.#otherwise.clear();
    if (usage === undefined || isApart === true) return;
    this.#before = isDoubtful ? larger(this.#before, usage) : usage;
    if (!isDoubtful) this.#input = this.#later;
  }

  /** The usage to assume for an answer of this size that reports none. */
  counted(soundBytes: number, textBytes: number): Usage {
    const read = inputBefore(this.#input, this.#later);
    return countedUsage(soundBytes / this.#spokenBytesPerSecond, textBytes, this.#before, read);
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
      pictureTokens: this.#input.pictureTokens,
    } satisfies CallerInput);
  }
}

/** The larger value of each kind of usage in the two reports. */
const larger = (one: Usage = noUsage, other: Usage): Usage => ({
  ...other,
  inputTokens: Math.max(one.inputTokens, other.inputTokens),
  cacheReadTokens: Math.max(one.cacheReadTokens, other.cacheReadTokens),
  audioCacheReadTokens: Math.max(one.audioCacheReadTokens, other.audioCacheReadTokens),
  imageCacheReadTokens: Math.max(one.imageCacheReadTokens, other.imageCacheReadTokens),
  imageInputTokens: Math.max(one.imageInputTokens, other.imageInputTokens),
  audioInputTokens: Math.max(one.audioInputTokens, other.audioInputTokens),
  outputTokens: Math.max(one.outputTokens, other.outputTokens),
  audioOutputTokens: Math.max(one.audioOutputTokens, other.audioOutputTokens),
});

const stepUp = (tokens: number): number => (Math.ceil(tokens / STEP_TOKENS) + 1) * STEP_TOKENS;
