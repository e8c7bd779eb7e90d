/*
 * Some upstreams say beside the tokens what the operator pays for them: OpenRouter's `cost`, xAI's `cost_in_usd_ticks`,
 * DeepInfra's `estimated_cost`, what Vercel's gateway says under `provider_metadata`, NanoGPT's `x_nanogpt_pricing`,
 * AI/ML API's `credits_used`. That is nothing for callers, who are told what they pay themselves.
 */

/** Bytes without any of these tell no cost. */
const TELLS = ['cost', 'Cost', 'pricing', 'credits'].map((text) => Buffer.from(text));
const IS_COST = /cost|pricing|credits_?(?:used|charged|consumed|spent|remaining|left)|^is_byok$/i;

/** Whether a field of this name tells a cost. */
export const isCostName = (name: string): boolean => IS_COST.test(name);

/** What only upstreams write, and no caller or model: searched at any depth. */
const IS_OF_UPSTREAM = /^(?:usage(?:_?metadata)?|meta|provider_?metadata|_hidden_params|error)$/i;
/** Objects, or lists of them, around the words of an answer. Costs in them stand beside those words. */
const HOLDERS: ReadonlySet<string> = new Set([
  'response',
  'message',
  'x_groq',
  'choices',
  'delta',
  'candidates',
  'data',
  'results',
]);
/** `choices`, `message` and what they hold; deeper ones are the caller's own. */
const DEEPEST = 3;
/** Which channels a gateway has asked, and for how much. */
const ROUTING = 'gateway';

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

/** Blanks what an upstream says of costs anywhere between these places. */
const hideBetween = (bytes: Buffer, from: number, to: number): void => {
  for (let at = from; at < to;) {
    if (bytes[at] !== QUOTE) {
      at += 1;
      continue;
    }
    const nameEnd = stringEnd(bytes, at);
    const colon = afterSpace(bytes, nameEnd);
    const name = bytes[colon] === COLON ? bytes.toString('latin1', at + 1, nameEnd - 1) : '';
    if (name !== ROUTING && !isCostName(name)) {
      at = nameEnd;
      continue;
    }
    const value = afterSpace(bytes, colon + 1);
    const field = { name, start: at, value, end: valueEnd(bytes, value) };
    blank(bytes, field);
    at = field.end;
  }
};

/** The places at which objects begin: this one, or each of this list. */
const objectsAt = (bytes: Buffer, from: number): readonly number[] => {
  if (bytes[from] !== OPEN_LIST) return [from];
  const starts: number[] = [];
  let at = afterSpace(bytes, from + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_LIST) {
    starts.push(at);
    const end = valueEnd(bytes, at);
    at = bytes[end] === COMMA ? afterSpace(bytes, end + 1) : bytes.length;
  }
  return starts;
};

const hideAt = (bytes: Buffer, from: number, depth: number): void => {
  for (const start of objectsAt(bytes, from))
    for (const field of fieldsAt(bytes, start))
      if (IS_OF_UPSTREAM.test(field.name)) hideBetween(bytes, field.value, field.end);
      else if (isCostName(field.name)) blank(bytes, field);
      else if (depth < DEEPEST && HOLDERS.has(field.name)) hideAt(bytes, field.value, depth + 1);
};

/**
 * Writes spaces over what a reply or event says of costs beside its words, so that its length stays.
 * @returns whether anything may have been hidden
 */
export const hideCosts = (bytes: Buffer): boolean => {
  if (!TELLS.some((text) => bytes.includes(text))) return false;
  const begin = afterSpace(bytes, 0);
  hideAt(bytes, bytes[begin] === OPEN_LIST ? begin : Math.max(0, bytes.indexOf(OPEN)), 0);
  return true;
};
