const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** No answer nests deeper; a body that does is hostile. */
const MAX_DEPTH = 32;

/**
 * Whether the JSON text gives some object's `key` (with its quotes) a value other than null. May say yes wrongly, which
 * costs a parse, never no: inside a string the closing quote of `key` would be escaped.
 */
export const givesKey = (text: string, key: string): boolean => {
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + key.length)) {
    const colon = skipSpace(text, at + key.length);
    if (text.charCodeAt(colon) !== COLON) continue;
    if (!text.startsWith('null', skipSpace(text, colon + 1))) return true;
  }
  return false;
};

/** What the strings of one delta weigh: `bytes` of text a reader sees, and whether there is anything to see at all. */
export interface Weight {
  bytes: number;
  content: boolean;
}

/** Keys whose strings are no part of the answer. */
const LABELS = new Set(['role', 'id', 'type', 'object', 'format', 'item_id', 'status']);
/** Keys whose strings are part of the answer, but bytes in base64 or a copy of text that stands beside them. */
const WEIGHTLESS = new Set([
  'data',
  'signature',
  'encrypted_content',
  'reasoning_details',
  'url',
  'b64_json',
]);

/**
 * Adds up the strings of the JSON object or array that begins at or after `from`, without parsing it. `text` is UTF-8
 * read as Latin-1, so that a character counts as its bytes; an escape counts as one. Returns where the value ends.
 */
export const weigh = (text: string, from: number, weight: Weight): number => {
  let depth = 0;
  let key = '';
  let weightlessDepth = Infinity;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at + 1);
      const next = skipSpace(text, end + 1);
      if (text.charCodeAt(next) === COLON) {
        key = text.slice(at + 1, end);
        if (depth <= weightlessDepth) weightlessDepth = key === 'reasoning_details' ? depth : Infinity;
        at = next;
      } else {
        if (end > at + 1 && !LABELS.has(key)) {
          weight.content = true;
          if (depth <= weightlessDepth && !WEIGHTLESS.has(key))
            weight.bytes += stringWeight(text, at + 1, end);
        }
        at = end;
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && code > 0x20 && code !== COLON) {
      // A number, true, false or null where an object was expected.
      return at;
    }
  }
  return text.length;
};

/** The same for the one string after a key, where the format has a bare string. Returns where to look on. */
export const weighString = (text: string, from: number, weight: Weight): number => {
  const colon = skipSpace(text, from);
  const start = skipSpace(text, colon + 1) + 1;
  if (text.charCodeAt(colon) !== COLON || text.charCodeAt(start - 1) !== QUOTE) return from;
  const end = stringEnd(text, start);
  if (end > start) weight.content = true;
  weight.bytes += stringWeight(text, start, end);
  return end;
};

/** The same for a value that is parsed already. */
export const weighParsed = (value: unknown, weight: Weight, key = '', depth = 0): void => {
  if (typeof value === 'string') {
    if (value === '' || LABELS.has(key)) return;
    weight.content = true;
    if (!WEIGHTLESS.has(key)) weight.bytes += Buffer.byteLength(value);
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    const before = weight.bytes;
    if (Array.isArray(value)) for (const item of value) weighParsed(item, weight, key, depth + 1);
    else for (const [name, item] of Object.entries(value)) weighParsed(item, weight, name, depth + 1);
    if (WEIGHTLESS.has(key)) weight.bytes = before;
  }
};

const stringEnd = (text: string, from: number): number => {
  let end = text.indexOf('"', from);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH && end - 1 - slashes >= from) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};

const stringWeight = (text: string, from: number, to: number): number => {
  let bytes = to - from;
  for (let at = text.indexOf('\\', from); at !== -1 && at < to; at = text.indexOf('\\', at + 2)) {
    const isUnicode = text.charCodeAt(at + 1) === 0x75;
    // \uXXXX is one character of two or three bytes, any other escape one of one byte.
    bytes -= isUnicode ? 3 : 1;
  }
  return bytes;
};

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return at;
};
