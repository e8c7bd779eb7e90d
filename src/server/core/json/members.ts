import { parsed } from '#contract/json-text.ts';
import { endOfString } from './bounds.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A direct member of an object, and where its value is in the text. */
export interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The direct members of an object, in text order, duplicates included. The text must be valid JSON. */
export const jsonMembers = (bytes: Buffer): JsonMember[] => {
  const json = bytes.toString('latin1');
  const members: JsonMember[] = [];
  let depth = 0;
  let name: string | undefined;
  let start = -1;
  const end = (at: number): void => {
    if (name !== undefined && start !== -1) members.push({ name, start, end: spacesBefore(bytes, at) });
    name = undefined;
    start = -1;
  };
  for (let at = 0; at < json.length; at += 1) {
    const byte = json.charCodeAt(at);
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      const closing = endOfString(json, at);
      if (closing === -1) break;
      if (depth === 1 && name === undefined)
        name = JSON.parse(bytes.toString('utf8', at, closing + 1)) as string;
      at = closing;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) end(at);
    } else if (depth === 1 && byte === COMMA) end(at);
    else if (depth === 1 && byte === COLON) start = spacesAfter(bytes, at + 1);
  }
  return members;
};

/** Deeper than any list that is read in parts. */
const MAX_DEPTH = 256;

/** A value that is directly in an object or a list, and where it is in the text; its name in an object. */
interface JsonPart extends Omit<JsonMember, 'name'> {
  readonly name: string | undefined;
}

/**
 * What is directly in an object or a list, in text order. The text should be valid JSON. Each is looked for when it is asked
 * for, so that whoever reads thousands can let others work in between.
 */
export function* jsonParts(bytes: Buffer): Generator<JsonPart, void> {
  const json = bytes.toString('latin1');
  let depth = 0;
  let isList = false;
  let name: string | undefined;
  let start = -1;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json.charCodeAt(at);
    if (byte <= SPACE) continue;
    if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth > 0) continue;
      if (start !== -1) yield { name, start, end: at };
      return;
    }
    if (depth === 1 && byte === COMMA) {
      if (start !== -1) yield { name, start, end: at };
      name = undefined;
      start = -1;
      continue;
    }
    const isName = depth === 1 && !isList && name === undefined;
    if (depth === 1 && !isName && start === -1 && byte !== COLON) start = at;
    if (byte === QUOTE) {
      const closing = endOfString(json, at);
      if (closing === -1) return;
      if (isName) name = String(parsed(bytes.toString('utf8', at, closing + 1)));
      at = closing;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1;
      if (depth === 1) isList = byte === OPEN_LIST;
      if (depth > MAX_DEPTH) return;
    }
  }
}

const spacesAfter = (bytes: Buffer, at: number): number => {
  let next = at;
  while ((bytes[next] ?? 0xff) <= SPACE) next += 1;
  return next;
};

const spacesBefore = (bytes: Buffer, at: number): number => {
  let end = at;
  while ((bytes[end - 1] ?? 0xff) <= SPACE) end -= 1;
  return end;
};

/** Sets these members, new ones last; every other byte stays the same. */
export const withMembers = (bytes: Buffer, values: Readonly<Record<string, unknown>>): Buffer => {
  const members = jsonMembers(bytes);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { name, start, end } of members) {
    if (!Object.hasOwn(values, name)) continue;
    pieces.push(bytes.subarray(at, start), Buffer.from(JSON.stringify(values[name])));
    at = end;
  }
  const known = new Set(members.map(({ name }) => name));
  const added = Object.entries(values).filter(([name]) => !known.has(name));
  const brace = bytes.lastIndexOf('}');
  pieces.push(bytes.subarray(at, brace));
  for (const [index, [name, value]] of added.entries()) {
    const comma = index > 0 || members.length > 0 ? ',' : '';
    pieces.push(Buffer.from(`${comma}${JSON.stringify(name)}:${JSON.stringify(value)}`));
  }
  pieces.push(bytes.subarray(brace));
  return Buffer.concat(pieces);
};
