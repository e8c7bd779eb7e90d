import { z } from 'zod';
import { parsedFields } from '../json/fields.ts';

/*
 * What is sealed and signed is text, a line of JSON each: whoever checks it hashes the bytes that are there, and need not know
 * how we write JSON. A line says what it is (`tollgate`) and in which version it was written; how a released version is
 * written is never changed, because rows are written again from the database whenever somebody asks for them.
 */

const id = z.number().int().min(0);
const units = z.number().int();
const hash = z.string().min(1).max(100);

/** What a part lists. */
export type ListName = 'calls' | 'movements';

/** A charged call as its log row has it. */
export interface SealedCall {
  readonly id: number;
  readonly requestId: string;
  readonly userId: number;
  readonly createdAtMs: number;
  readonly tokenId: number;
  readonly tokenName: string;
  readonly group: string;
  readonly model: string;
  readonly isStream: boolean;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly units: number;
  /** JSON text of the row's details. */
  readonly other: string;
}

/** A movement of a balance as the journal has it. */
export interface SealedMovement {
  readonly id: number;
  readonly userId: number;
  readonly createdAtMs: number;
  readonly kind: string;
  readonly units: number;
}

/** Of the details of a row, what its user may not see. Fixed: receipts of old rows must stay as they were. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  'admin_info',
  'channel_id',
  'channel_name',
  'channel_type',
]);

const detailsOf = (other: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parsedFields(other) ?? {}).filter(([name]) => !NOT_FOR_USERS.has(name)));

/** The receipt of a call. The salt keeps those who have only its hash from guessing it. */
export const callLine = (call: SealedCall, salt: string): string =>
  JSON.stringify({
    tollgate: 'call',
    version: 1,
    user: call.userId,
    request_id: call.requestId,
    at: call.createdAtMs,
    token: call.tokenId,
    token_name: call.tokenName,
    group: call.group,
    model: call.model,
    stream: call.isStream,
    prompt_tokens: call.promptTokens,
    completion_tokens: call.completionTokens,
    units: call.units,
    details: detailsOf(call.other),
    salt,
  });

/** The receipt of a movement. */
export const movementLine = (movement: SealedMovement, salt: string): string =>
  JSON.stringify({
    tollgate: 'movement',
    version: 1,
    user: movement.userId,
    id: movement.id,
    at: movement.createdAtMs,
    kind: movement.kind,
    units: movement.units,
    salt,
  });

const receipt = { version: z.literal(1), user: id, at: z.number().int(), salt: z.string() };
/** A receipt as whoever checks it reads it: units of quota, `at` in milliseconds. Other fields of its line are not read. */
export const receiptShape = z.discriminatedUnion('tollgate', [
  z.object({
    tollgate: z.literal('call'),
    ...receipt,
    request_id: z.string(),
    token: id,
    model: z.string(),
    prompt_tokens: id,
    completion_tokens: id,
    units: id,
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ tollgate: z.literal('movement'), ...receipt, id, kind: z.string(), units }),
]);
export type Receipt = z.infer<typeof receiptShape>;

/**
 * What one seal has of one user and month: a list of receipts with their sums, and the sums of that month's list in all seals
 * before. A part that is left out leaves a hole in these.
 */
export const partShape = z.object({
  tollgate: z.literal('part'),
  version: z.literal(1),
  seal: id,
  user: id,
  /** UTC: `2026-10`. */
  month: z.string(),
  list: z.enum(['calls', 'movements']),
  count: id,
  units,
  count_before: id,
  units_before: units,
  /** Of the tree of its receipts, in the order in which they were written. */
  root: hash,
  salt: z.string(),
});
export type Part = Omit<z.infer<typeof partShape>, 'tollgate' | 'version'>;

/** A part as it is hashed: its line is a leaf of its seal's tree. */
export const partLine = (part: Part): string =>
  JSON.stringify({
    tollgate: 'part',
    version: 1,
    seal: part.seal,
    user: part.user,
    month: part.month,
    list: part.list,
    count: part.count,
    units: part.units,
    count_before: part.count_before,
    units_before: part.units_before,
    root: part.root,
    salt: part.salt,
  });

/** What is published: the root of all that was written since the seal before, chained to it. */
export const sealShape = z.object({
  tollgate: z.literal('seal'),
  version: z.literal(1),
  number: id,
  /** The UTC day whose end it came after. */
  day: z.string(),
  /** In seconds. */
  made_at: z.number().int(),
  /** Of the tree of its parts. */
  root: hash,
  /** SHA-256 of the line of the seal before; empty for the first. */
  previous: z.string(),
  /** Which key signs it. */
  key: z.string(),
});
export type Seal = Omit<z.infer<typeof sealShape>, 'tollgate' | 'version'>;

/** A seal as it is signed, and hashed by the seal after it. */
export const sealLine = ({ number, day, made_at, root, previous, key }: Seal): string =>
  JSON.stringify({ tollgate: 'seal', version: 1, number, day, made_at, root, previous, key });

/** A key, and from which seal on it signs. Its line is signed by the key before it, the first by itself. */
export const keyShape = z.object({
  tollgate: z.literal('key'),
  version: z.literal(1),
  /** The begin of the public key's SHA-256. */
  id: z.string(),
  /** Ed25519, 32 bytes in base64url. */
  public_key: z.string(),
  first_seal: id,
  /** In seconds. */
  made_at: z.number().int(),
});
export type SealKey = Omit<z.infer<typeof keyShape>, 'tollgate' | 'version'>;

/** A key as the key before it signs it. */
export const keyLine = ({ id: key, public_key, first_seal, made_at }: SealKey): string =>
  JSON.stringify({ tollgate: 'key', version: 1, id: key, public_key, first_seal, made_at });

/** A line with its signature, in base64url. */
export const signedShape = z.object({ line: z.string(), signature: z.string() });
export type Signed = z.infer<typeof signedShape>;

/** What is published, a page of it. */
export const publishedShape = z.object({
  tollgate: z.literal('seals'),
  version: z.literal(1),
  keys: z.array(signedShape),
  seals: z.array(signedShape),
  /** The page that goes on; null on the last. */
  next_page: z.number().int().nullable(),
});
export type Published = z.infer<typeof publishedShape>;

/** The first line of a statement with proofs. */
export const headShape = z.object({
  tollgate: z.literal('statement'),
  version: z.literal(1),
  /** The statement's JSON, as it was issued. */
  statement: z.string(),
  key: z.string(),
  /** Of the statement's text. */
  signature: z.string(),
});

/** What comes before the receipts of a part. */
export const proofShape = z.object({
  tollgate: z.literal('proof'),
  version: z.literal(1),
  part: z.string(),
  /** Its place among the parts of its seal, how many these are, and the path to the seal's root. */
  index: id,
  size: id,
  path: z.array(hash).max(64),
  /** Its rows were deleted from the logs: only the sums are left. */
  deleted: z.boolean(),
});

/** The last line of a statement with proofs: whoever has it has all before it. */
export const endShape = z.object({ tollgate: z.literal('end'), version: z.literal(1), lines: id });

/** A line read as one of these shapes; undefined where it is none. */
export const readLine = <Value>(shape: z.ZodType<Value>, line: string): Value | undefined => {
  try {
    return shape.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};
