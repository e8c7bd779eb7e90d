import { argon2Sync } from 'node:crypto';

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const CHEAP = { nonce: Buffer.alloc(16), tagLength: 32, memory: 8, passes: 1, parallelism: 1 } as const;

/** A hash of a password that is as cheap to check as one may be: what a sign-in costs is another test's, and all of them sign in. */
export const cheapHashOf = (password: string): string =>
  `$argon2id$v=19$m=8,t=1,p=1$${base64(CHEAP.nonce)}$${base64(
    argon2Sync('argon2id', { ...CHEAP, message: Buffer.from(password) }),
  )}`;
