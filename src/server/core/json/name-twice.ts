import { jsonParts } from './members.ts';

/**
 * A name that an object of this JSON text gives twice; undefined if none does. Readers take the last, and whoever wrote the
 * text may mean the first.
 */
export const nameTwice = (json: string): string | undefined => twiceIn(Buffer.from(json));

const twiceIn = (bytes: Buffer): string | undefined => {
  const names = new Set<string>();
  for (const { name, start, end } of jsonParts(bytes)) {
    if (name !== undefined && names.has(name)) return name;
    if (name !== undefined) names.add(name);
    const inner = HOLDS_NAMES.has(bytes[start]) ? twiceIn(bytes.subarray(start, end)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};

/** An object or a list begins. */
const HOLDS_NAMES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
