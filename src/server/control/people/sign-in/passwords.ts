import { argon2 as argon2Callback, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '#core/error.ts';
import { sayError } from '../../refuse.ts';
import { withoutEnd } from '#contract/without-end.ts';

const argon2 = promisify(argon2Callback);

interface Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** The cost OWASP's password storage sheet recommends for argon2id. */
const COST: Cost = { memoryKib: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const AT_ONCE = 2;
const WAITING_MAX = 50;

/** Hashes and checks passwords, a bounded number at once. */
export interface Passwords {
  /** argon2id, as a PHC string. Throws `unavailable` if too many are waiting already. */
  hash(password: string): Promise<string>;
  /** Takes as long for an account that does not exist (`stored` undefined) as for one that does. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

const derive = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  argon2('argon2id', {
    message: Buffer.from(password),
    nonce: salt,
    tagLength: HASH_BYTES,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.parallelism,
  });

/**
 * Normalizes a password, because Unicode has several spellings of one: a Mac's é may be two characters, and a Chinese
 * keyboard's A may be a wide one.
 */
const settled = (password: string): string => password.normalize('NFKC');

/** The spellings that may have been hashed: the normalized one or, in old accounts, the one that the system typed. */
const spellings = (password: string): ReadonlySet<string> =>
  new Set([settled(password), password, password.normalize('NFC'), password.normalize('NFD')]);

const base64 = (bytes: Buffer): string => withoutEnd(bytes.toString('base64'), '=');

const format = (cost: Cost, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(hash)}`;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const read = (stored: string): { cost: Cost; salt: Buffer; hash: Buffer } => {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(stored) ?? [];
  if (salt === undefined || hash === undefined)
    throw new AppError('internal', 'a stored password hash does not read');
  return {
    cost: { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
};

/** At most two hashes run at once, each with 19 MiB, and 50 wait; further ones are refused. */
const createQueue = () => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MAX) throw sayError('unavailable', 'unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
};

/**
 * argon2id. If no hash is stored, a dummy one is checked, so that an unknown name takes as long as a wrong password.
 */
export const createPasswords = (): Passwords => {
  const queued = createQueue();
  const nobody = format(COST, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    hash: (password) =>
      queued(async () => {
        const salt = randomBytes(SALT_BYTES);
        return format(COST, salt, await derive(settled(password), salt, COST));
      }),
    verify: (password, stored) =>
      queued(async () => {
        const { cost, salt, hash } = read(stored ?? nobody);
        for (const spelling of spellings(password))
          if (timingSafeEqual(await derive(spelling, salt, cost), hash)) return stored !== undefined;
        return false;
      }),
  };
};
