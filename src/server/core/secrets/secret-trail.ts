import { EVENT_MAX_BYTES, type Secrets } from './secrets.ts';

const QUOTE = 0x22;
const STAR = 0x2a;
const COLON = 0x3a;
/**
 * How much of a secret's beginning may stay visible: at most a third, and no more than providers show of their keys.
 */
const MOST_SEEN = 12;

/** The text so far ends with the first `length` bytes of a secret, which the next text may continue. */
interface Beginning {
  readonly secret: Buffer;
  readonly length: number;
  /** How many of its bytes may stay visible. */
  readonly seen: number;
}

interface Table {
  readonly secrets: readonly Buffer[];
  /** By the last byte of a text: the beginnings it may end with. */
  readonly byLast: readonly (readonly Beginning[])[];
}

const tables = new WeakMap<Secrets, Table>();

const tableOf = (secrets: Secrets): Table => {
  let table = tables.get(secrets);
  if (table === undefined) tables.set(secrets, (table = makeTable(secrets.texts)));
  return table;
};

const makeTable = (texts: readonly string[]): Table => {
  const byLast = Array.from({ length: 256 }, (): Beginning[] => []);
  const secrets = texts.map((text) => Buffer.from(text));
  for (const secret of secrets)
    for (let length = 1; length < secret.length; length += 1)
      byLast[secret[length - 1] ?? 0]?.push(beginning(secret, length));
  return { secrets, byLast };
};

const beginning = (secret: Buffer, length: number): Beginning => ({
  secret,
  length,
  seen: Math.min(MOST_SEEN, Math.floor(secret.length / 3)),
});

const NONE: readonly Beginning[] = [];

/**
 * Masks secrets that are spread over several events of a stream, a piece in the text of each. It holds nothing back:
 * the first bytes of a secret stay visible, the rest becomes stars. It finds secrets only in plain form, not encoded or
 * escaped.
 */
export class SecretTrail {
  readonly #table: Table;
  #open = NONE;

  constructor(secrets: Secrets) {
    this.#table = tableOf(secrets);
  }

  /** The current state, for `goBack`. */
  get mark(): readonly Beginning[] {
    return this.#open;
  }

  /** Forgets the texts since `mark`. */
  goBack(mark: readonly Beginning[]): void {
    this.#open = mark;
  }

  /** Takes the next text; returns false, and takes nothing, if `maskEvent` has to mask it. */
  passes(bytes: Buffer, start: number, end: number): boolean {
    for (const { secret, length } of this.#open) if (bytes[start] === secret[length]) return false;
    let open = NONE;
    for (const one of this.#table.byLast[bytes[end - 1] ?? 0] ?? NONE) {
      if (!endsWith(bytes, start, end, one)) continue;
      if (one.length > one.seen) return false;
      open = [...open, one];
    }
    this.#open = open;
    return true;
  }

  /**
   * Takes the texts of an event, all its JSON strings, and masks them in place.
   * @param places where one may end with the beginning of a secret, by `Secrets.maskEvent`
   */
  maskEvent(bytes: Buffer, places: readonly number[]): void {
    if (bytes.length > EVENT_MAX_BYTES) return;
    const before = this.#open;
    if (places.length === 0 && before.length === 0) return;
    let open = NONE;
    for (const at of places)
      for (const secret of this.#table.secrets) open = [...open, ...begun(bytes, at, secret)];
    for (const one of before) open = [...open, ...goneOn(bytes, one)];
    this.#open = open;
  }
}

const endsWith = (bytes: Buffer, start: number, end: number, { secret, length }: Beginning): boolean => {
  const from = end - length;
  if (from < start) return false;
  // The last byte is known to match: `byLast` was looked up by it.
  for (let at = 0; at < length - 1; at += 1) if (bytes[from + at] !== secret[at]) return false;
  return true;
};

/** How many bytes of `secret`, beginning at `of`, match those at `at`. */
const alike = (bytes: Buffer, at: number, secret: Buffer, of: number): number => {
  let length = 0;
  while (of + length < secret.length && bytes[at + length] === secret[of + length]) length += 1;
  return length;
};

/** Masks the end of a string that is the beginning of a secret, except the bytes that may stay visible. */
const begun = (bytes: Buffer, at: number, secret: Buffer): readonly Beginning[] => {
  const length = alike(bytes, at, secret, 0);
  const end = at + length;
  if (length === 0 || length === secret.length || bytes[end] !== QUOTE) return NONE;
  // The string is a field name.
  if (bytes[end + 1] === COLON) return NONE;
  const one = beginning(secret, length);
  if (length > one.seen) bytes.fill(STAR, at + one.seen, end);
  return [one];
};

/** Masks strings that continue a secret, up to the end of the secret or of the string. */
const goneOn = (bytes: Buffer, { secret, length, seen }: Beginning): readonly Beginning[] => {
  const open: Beginning[] = [];
  const first = Buffer.of(QUOTE, secret[length] ?? 0);
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    const start = at + 1;
    const whole = length + alike(bytes, start, secret, length);
    const end = start + whole - length;
    const isOver = whole === secret.length;
    if (!isOver && bytes[end] !== QUOTE) continue;
    if (whole > seen) bytes.fill(STAR, start + Math.max(0, seen - length), end);
    if (!isOver) open.push(beginning(secret, whole));
  }
  return open;
};
