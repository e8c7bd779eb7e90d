import { jsonParts } from './members.ts';

/** A name in a JSON text whose value would be ignored, and the message that says why. */
interface WrongName {
  readonly key: 'issue_twice' | 'issue_no_name';
  readonly values: { readonly name: string };
}

/** Schemas drop this name silently, because in JavaScript's objects it names no field. */
const NO_NAME = '__proto__';

/**
 * The first wrong name in this JSON text; undefined if all are right. If an object has a name twice, readers take the
 * last one, although its author may mean the first.
 */
export const wrongName = (json: string): WrongName | undefined => wrongIn(Buffer.from(json));

const wrongIn = (bytes: Buffer): WrongName | undefined => {
  const names = new Set<string>();
  for (const { name, start, end } of jsonParts(bytes)) {
    if (name === NO_NAME) return { key: 'issue_no_name', values: { name } };
    if (name !== undefined && names.has(name)) return { key: 'issue_twice', values: { name } };
    if (name !== undefined) names.add(name);
    const inner = HOLDS_NAMES.has(bytes[start]) ? wrongIn(bytes.subarray(start, end)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
};

/** An object or a list begins. */
const HOLDS_NAMES: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
