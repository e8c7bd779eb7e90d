import { isDeepStrictEqual } from 'node:util';
import { parsed } from '../../src/contract/json-text.ts';
import type { Excuse } from './excuses.ts';

const SPACE = 0x20;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every JSON text of an answer: the whole of it, or the data of each event. */
const valuesIn = (bytes: Buffer): readonly unknown[] => {
  const text = bytes.toString();
  const whole = parsed(text);
  return whole === undefined ? text.split('\n').map((line) => parsed(line.replace(/^data:/, ''))) : [whole];
};

/** Without what its usage says of costs. */
const bare = (value: unknown): unknown => {
  if (!isObject(value)) return value;
  for (const holder of [value, value['response'], value['message']]) {
    const usage = isObject(holder) ? holder['usage'] : undefined;
    if (!isObject(usage)) continue;
    for (const name of Object.keys(usage)) if (/cost|^is_byok$/i.test(name)) delete usage[name];
  }
  return value;
};

/** The excuse for an answer that is the recorded one, but for spaces where that says what it cost. */
export const costsAreHidden = (sent: Buffer, got: Buffer): Excuse | undefined => {
  const isSpaced = got.length <= sent.length && got.every((byte, at) => byte === sent[at] || byte === SPACE);
  return isSpaced && isDeepStrictEqual(valuesIn(got), valuesIn(sent.subarray(0, got.length)).map(bare))
    ? { excuse: 'what an answer costs the operator is not told to its caller' }
    : undefined;
};
