import { parsed } from '#contract/json-text.ts';
import { BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import { closeTokens } from '../../../dialects/openai/usage/close-tokens.ts';
import type { Frame } from '../../../dialects/frame.ts';

/**
 * Text in any language that models are used in has fewer tokens per byte. Digits, base64, emoji and rare scripts have
 * more.
 */
const WRITTEN = 0.65;
const MAX_DEPTH = 16;

/**
 * Measures how many tokens an answer has per byte, in those of its frames that were looked at. Prose has one token for
 * four bytes; digits, base64 and rare scripts have up to one for each byte.
 */
export class OutputDensity {
  #bytes = 0;
  #tokens = 0;
  #perByte = 1 / BYTES_PER_TOKEN;

  get perByte(): number {
    return this.#perByte;
  }

  /** Adds a frame that has this many bytes of the answer. */
  hear(frame: Frame, bytes: number): void {
    const text = textIn(frame, bytes);
    if (text === '') return;
    this.#bytes += bytes;
    this.#tokens += (closeTokens(text) / Buffer.byteLength(text)) * bytes;
    const seen = this.#tokens / this.#bytes;
    this.#perByte = seen > WRITTEN ? seen : 1 / BYTES_PER_TOKEN;
  }
}

/** The text of a frame: the one with exactly this size, else its longest texts together. */
const textIn = ({ data, oversized }: Frame, bytes: number): string => {
  if (bytes === 0 || oversized === true) return '';
  const texts = [...textsOf(parsed(data.toString()))];
  const exact = texts.find((text) => Buffer.byteLength(text) === bytes);
  if (exact !== undefined) return exact;
  let said = '';
  for (const text of texts.toSorted((one, other) => other.length - one.length)) {
    if (Buffer.byteLength(said) >= bytes) break;
    said += text;
  }
  return said;
};

function* textsOf(value: unknown, depth = 0): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const inner of Object.values(value)) yield* textsOf(inner, depth + 1);
}
