import { z } from 'zod';
import { parsedFields } from '../json/fields.ts';

/*
 * What is sealed and signed is text, one line of JSON each: verifiers hash the bytes as they are and need not know how
 * we write JSON. Each line names its type (`tollgate`) and format version. The format of a released version never
 * changes, because lines are generated from the database again on request.
 */

const id = z.number().int().min(0);
const units = z.number().int();
const hash = z.string().min(1).max(100);

/** The kinds of list that a part may have. */
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

/** Details of a row that its user may not see. This set is fixed: receipts of old rows must not change. */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  'admin_info',
  'channel_id',
  'channel_name',
  'channel_type',
]);

const detailsOf = (other: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parsedFields(other) ?? {}).filter(([name]) => !NOT_FOR_USERS.has(name)));

/** The receipt of a call. The salt keeps anyone who has only its hash from guessing its content. */
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
/** A receipt as a verifier reads it: units of quota, `at` in milliseconds. Other fields of its line are ignored. */
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
 * What one seal covers of a user's month: a list of receipts with their sums, and the sums of that month's list in all
 * seals before. If a part is left out, these sums no longer match.
 */
export const partShape = z.object({
  tollgate: z.literal('part'),
  version: z.literal(1),
  seal: id,
  user: id,
  /** UTC, such as `2026-10`. */
  month: z.string(),
  list: z.enum(['calls', 'movements']),
  count: id,
  units,
  count_before: id,
  units_before: units,
  /** The root of the tree of its receipts, in the order they were written. */
  root: hash,
  salt: z.string(),
});
export type Part = Omit<z.infer<typeof partShape>, 'tollgate' | 'version'>;

/** The line of a part, as hashed: a leaf of its seal's tree. */
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

/** What is published: the root over everything written since the seal before, chained to that seal. */
export const sealShape = z.object({
  tollgate: z.literal('seal'),
  version: z.literal(1),
  number: id,
  /** The UTC day it closes. */
  day: z.string(),
  /** In seconds. */
  made_at: z.number().int(),
  /** The root of the tree of its parts. */
  root: hash,
  /** SHA-256 of the previous seal's line; empty for the first. */
  previous: z.string(),
  /** The id of the key that signs it. */
  key: z.string(),
});
export type Seal = Omit<z.infer<typeof sealShape>, 'tollgate' | 'version'>;

/** The line of a seal that is signed, and that the next seal hashes. */
export const sealLine = ({ number, day, made_at, root, previous, key }: Seal): string =>
  JSON.stringify({ tollgate: 'seal', version: 1, number, day, made_at, root, previous, key });

/** A key, and the first seal it signs. The key before it signs its line; the first key signs its own. */
export const keyShape = z.object({
  tollgate: z.literal('key'),
  version: z.literal(1),
  /** The beginning of the public key's SHA-256. */
  id: z.string(),
  /** Ed25519, 32 bytes in base64url. */
  public_key: z.string(),
  first_seal: id,
  /** In seconds. */
  made_at: z.number().int(),
});
export type SealKey = Omit<z.infer<typeof keyShape>, 'tollgate' | 'version'>;

/** The line of a key that the key before it signs. */
export const keyLine = ({ id: key, public_key, first_seal, made_at }: SealKey): string =>
  JSON.stringify({ tollgate: 'key', version: 1, id: key, public_key, first_seal, made_at });

/** A line with its signature, in base64url. */
export const signedShape = z.object({ line: z.string(), signature: z.string() });
/** A line with its signature, in base64url. */
export type Signed = z.infer<typeof signedShape>;

/** One page of what is published. */
export const publishedShape = z.object({
  tollgate: z.literal('seals'),
  version: z.literal(1),
  keys: z.array(signedShape),
  seals: z.array(signedShape),
  /** Null on the last page. */
  next_page: z.number().int().nullable(),
});
/** One page of the published keys and seals. */
export type Published = z.infer<typeof publishedShape>;

/** The first line of a statement with proofs. */
export const headShape = z.object({
  tollgate: z.literal('statement'),
  version: z.literal(1),
  /** The statement's JSON as issued. */
  statement: z.string(),
  key: z.string(),
  /** The signature of the statement's text. */
  signature: z.string(),
});

/** The line that precedes the receipts of a part. */
export const proofShape = z.object({
  tollgate: z.literal('proof'),
  version: z.literal(1),
  part: z.string(),
  /** The index of the part in its seal, the number of parts in it, and the path to the seal's root. */
  index: id,
  size: id,
  path: z.array(hash).max(64),
  /** Its rows were deleted from the logs, so that only the sums remain. */
  deleted: z.boolean(),
});

/** The last line of a statement with proofs: it shows that the file is complete. */
export const endShape = z.object({ tollgate: z.literal('end'), version: z.literal(1), lines: id });

/** Parses a line as one of these shapes; undefined if it does not match. */
export const readLine = <Value>(shape: z.ZodType<Value>, line: string): Value | undefined => {
  try {
    return shape.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};
