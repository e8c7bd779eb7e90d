import { parsed } from '#contract/json-text.ts';
import { BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import { closeTokens } from '../../../dialects/openai/usage/close-tokens.ts';
import type { Frame } from '../../../dialects/frame.ts';

/** No language that models are used in has more tokens for a byte; digits, base64, emoji and rare scripts do. */
const WRITTEN = 0.65;
const MAX_DEPTH = 16;

/**
 * How many tokens a byte of an answer has, by those of its frames that were looked at. Prose has one for four; an answer
 * of digits, base64 or a rare script has up to one for each.
 */
export class OutputDensity {
  #bytes = 0;
  #tokens = 0;
  #perByte = 1 / BYTES_PER_TOKEN;

  get perByte(): number {
    return this.#perByte;
  }

  /** Notes a frame with so many bytes of the answer. */
  hear(frame: Frame, bytes: number): void {
    const text = textIn(frame, bytes);
    if (text === '') return;
    this.#bytes += bytes;
    this.#tokens += (closeTokens(text) / Buffer.byteLength(text)) * bytes;
    const seen = this.#tokens / this.#bytes;
    this.#perByte = seen > WRITTEN ? seen : 1 / BYTES_PER_TOKEN;
  }
}

/** What a frame says: the text of that size, or else its longest texts. */
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
