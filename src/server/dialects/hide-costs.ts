/*
 * Some upstreams say beside the tokens what the operator pays for them: OpenRouter's `cost`, xAI's `cost_in_usd_ticks`,
 * DeepInfra's `estimated_cost`. That is nothing for callers, who are told what they pay themselves.
 */

const COST = Buffer.from('cost');
const IS_COST = /cost|^is_byok$/i;
/** Where usage stands: at the top, or in one of these. */
const HOLDERS: ReadonlySet<string> = new Set(['response', 'message', 'x_groq']);

const [QUOTE, BACKSLASH, COMMA, COLON, SPACE] = [0x22, 0x5c, 0x2c, 0x3a, 0x20];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

const afterSpace = (bytes: Buffer, from: number): number => {
  let at = from;
  while ((bytes[at] ?? OPEN) <= SPACE) at += 1;
  return at;
};

/** The end of the string that begins here. */
const stringEnd = (bytes: Buffer, from: number): number => {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
};

/** The end of the value that begins here. */
const valueEnd = (bytes: Buffer, from: number): number => {
  let depth = 0;
  for (let at = from; at < bytes.length;) {
    const byte = bytes[at];
    const isEnd = byte === CLOSE || byte === CLOSE_LIST;
    if (depth === 0 && (isEnd || byte === COMMA)) return at;
    if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (isEnd) depth -= 1;
    at = byte === QUOTE ? stringEnd(bytes, at) : at + 1;
  }
  return bytes.length;
};

interface Field {
  readonly name: string;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/** The fields of the object that begins here; none if it is no object. */
const fieldsAt = (bytes: Buffer, from: number): readonly Field[] => {
  const fields: Field[] = [];
  let at = bytes[from] === OPEN ? afterSpace(bytes, from + 1) : bytes.length;
  while (bytes[at] === QUOTE) {
    const start = at;
    const nameEnd = stringEnd(bytes, start);
    const colon = afterSpace(bytes, nameEnd);
    if (bytes[colon] !== COLON) break;
    const value = afterSpace(bytes, colon + 1);
    const end = valueEnd(bytes, value);
    fields.push({ name: bytes.toString('latin1', start + 1, nameEnd - 1), start, value, end });
    at = bytes[end] === COMMA ? afterSpace(bytes, end + 1) : bytes.length;
  }
  return fields;
};

/** Writes spaces over the field and one of the commas beside it. */
const blank = (bytes: Buffer, { start, end }: Field): void => {
  bytes.fill(SPACE, start, end);
  if (bytes[end] === COMMA) {
    bytes[end] = SPACE;
    return;
  }
  let before = start - 1;
  while ((bytes[before] ?? OPEN) <= SPACE) before -= 1;
  if (bytes[before] === COMMA) bytes[before] = SPACE;
};

const hideIn = (bytes: Buffer, usage: Field): void => {
  for (const field of fieldsAt(bytes, usage.value)) if (IS_COST.test(field.name)) blank(bytes, field);
};

/** Writes spaces over what a reply or event says of costs in its usage, so that its length stays. */
export const hideCosts = (bytes: Buffer): void => {
  if (!bytes.includes(COST)) return;
  for (const field of fieldsAt(bytes, Math.max(0, bytes.indexOf(OPEN))))
    if (field.name === 'usage') hideIn(bytes, field);
    else if (HOLDERS.has(field.name))
      for (const inner of fieldsAt(bytes, field.value)) if (inner.name === 'usage') hideIn(bytes, inner);
};
