import { isDeepStrictEqual } from 'node:util';
import { parsed } from '../../src/contract/json-text.ts';
import type { Excuse } from './excuses.ts';

const SPACE = 0x20;

/** Every JSON text of an answer: the whole of it, or the data of each event. */
const valuesIn = (bytes: Buffer): readonly unknown[] => {
  const text = bytes.toString();
  const whole = parsed(text);
  return whole === undefined ? text.split('\n').map((line) => parsed(line.replace(/^data:/, ''))) : [whole];
};

const TELLS_COST = /cost|pricing|credits_used|^is_byok$|^gateway$/i;
/** Where upstreams tell costs, beside what was said. */
const AROUND_WORDS =
  /^(?:response|message|choices|delta|candidates|data|results|usage|usage_?metadata|provider_?metadata|\d+)$/i;

/** Without what it says of costs. */
const bare = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([name]) => !TELLS_COST.test(name));
  const shown = left.map(([name, inner]) => [name, AROUND_WORDS.test(name) ? bare(inner) : inner] as const);
  return Array.isArray(value) ? shown.map(([, inner]) => inner) : Object.fromEntries(shown);
};

/** The excuse for an answer that is the recorded one, but for spaces where that says what it cost. */
export const costsAreHidden = (sent: Buffer, got: Buffer): Excuse | undefined => {
  const isSpaced = got.length <= sent.length && got.every((byte, at) => byte === sent[at] || byte === SPACE);
  return isSpaced && isDeepStrictEqual(valuesIn(got), valuesIn(sent.subarray(0, got.length)).map(bare))
    ? { excuse: 'what an answer costs the operator is not told to its caller' }
    : undefined;
};
