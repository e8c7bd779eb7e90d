import { z } from 'zod';
import { endpoint, idParams, nothing } from '../../endpoint.ts';
import { text } from '../../text.ts';

const month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/);
const receiptQuery = z.object({ request_id: text(100).min(1) });

/** Hashes in base64url, from the leaf's brother up (RFC 6962). */
const place = { index: z.number(), count: z.number(), path: z.array(z.string()) };

const signedReceipt = z.object({
  /** The text that is signed and sealed: JSON with the tokens, the price's version and steps, and the units. */
  receipt: z.string(),
  key: z.string(),
  /** Ed25519, 32 bytes in base64url. */
  public_key: z.string(),
  signature: z.string(),
  /** Why `proof` is null. */
  missing: z.enum(['not_sealed', 'rows_deleted']).nullable(),
  proof: z
    .object({
      /** The receipt among those of its part, and the part among those of its seal. */
      of_receipt: z.object(place),
      part: z.string(),
      of_part: z.object(place),
      seal: z.string(),
      seal_signature: z.string(),
      /** Of `/.well-known/tollgate-seals.json`, where the same seal is published. */
      page: z.number(),
    })
    .nullable(),
});

export const readOwnReceipt = endpoint({
  method: 'GET',
  path: '/api/log/self/receipt',
  access: 'user',
  owner: 'self',
  rate: 'search',
  summary:
    'The signed receipt of one of your calls and, once its day is sealed, the way to the published root',
  query: receiptQuery,
  data: signedReceipt,
});
export const readReceipt = endpoint({
  method: 'GET',
  path: '/api/log/receipt',
  access: 'admin',
  owner: 'any',
  rate: 'search',
  summary: 'The same of any call',
  query: receiptQuery,
  data: signedReceipt,
});
export const downloadOwnProofs = endpoint({
  method: 'GET',
  path: '/api/statement/self/:month/proofs',
  access: 'user',
  owner: 'self',
  summary:
    'The statement of a finished month with every receipt, as `tollgate verify` checks it: lines of JSON',
  params: z.object({ month }),
  download: true,
  data: z.string(),
});
export const downloadUserProofs = endpoint({
  method: 'GET',
  path: '/api/statement/user/:id/:month/proofs',
  access: 'admin',
  owner: 'lower-rank',
  summary: 'The same of a user',
  params: idParams.extend({ month }),
  download: true,
  data: z.string(),
});
export const readSealState = endpoint({
  method: 'GET',
  path: '/api/seal',
  access: 'admin',
  owner: 'none',
  summary:
    'The last seal and the next, what is written since, the keys that sign, and whether a seal is due or being made',
  data: z.object({
    last: z.object({ number: z.number(), day: z.string(), made_at: z.number() }).nullable(),
    keys: z.array(z.object({ id: z.string(), first_seal: z.number(), made_at: z.number() })),
    /** The private half of the last key cannot be opened: nothing is sealed and no receipt signed. */
    key_damaged: z.boolean(),
    is_running: z.boolean(),
    /** The last day is not sealed yet: it will be within a minute. */
    is_due: z.boolean(),
    /** When the day of today can be sealed, unix seconds. */
    next_at: z.number(),
    /** Charged calls and movements since the last seal, at most MOST_UNSEALED_COUNTED. */
    unsealed_rows: z.number(),
  }),
});
export const sealNow = endpoint({
  method: 'POST',
  path: '/api/seal',
  access: 'root',
  owner: 'none',
  summary: 'Seal everything written so far, without waiting for the end of the day',
  data: z.object({ number: z.number(), day: z.string(), made_at: z.number() }),
});
export const rotateSealKey = endpoint({
  method: 'POST',
  path: '/api/seal/key',
  access: 'root',
  owner: 'none',
  fresh: 'always',
  summary: 'Make a new key, signed by the old one, that signs from the next seal on',
  data: nothing,
});
export const beginSealKeysAnew = endpoint({
  method: 'POST',
  path: '/api/seal/key/anew',
  access: 'root',
  owner: 'none',
  fresh: 'always',
  summary:
    'Make a new key that the old one has not signed, because that one is damaged; refused where it is not',
  data: nothing,
});
