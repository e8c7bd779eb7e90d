import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { User } from '#core/user/user.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Vault } from '#core/secrets/vault.ts';

/** The most accounts remembered for one browser. */
const MARKS_MAX = 5;
const NUMBER_BYTES = 16;
/** The browser's random number, then a mark for each account: all base64url. */
const SHAPE = /^([\w-]{22})((?:\.[\w-]{43}){1,5})$/;

export interface KnownDeviceDeps {
  readonly users: Pick<UserStore, 'passwordHashOf'>;
  readonly vault: Pick<Vault, 'mac'>;
}

type Holder = Pick<User, 'id'> & { readonly passwordHash: string };

export type KnownDevices = ReturnType<typeof createKnownDevices>;

const read = (device: string | undefined) => {
  const [, number = '', marks = ''] = SHAPE.exec(device ?? '') ?? [];
  return number === '' ? undefined : { number, marks: marks.split('.').slice(1) };
};

/**
 * Remembers the browsers that somebody has signed in from. The cookie means nothing to others, does not sign anybody
 * in, and becomes invalid when the password changes.
 */
export const createKnownDevices = ({ users, vault }: KnownDeviceDeps) => {
  const markOf = (number: string, { id, passwordHash }: Holder): string =>
    vault.mac(`known-device ${id} ${number} ${passwordHash}`);

  return {
    /** The browser's number if the account knows it. Takes the same time if there is no account. */
    numberFor(device: string | undefined, holder: Holder | undefined): string | undefined {
      const known = read(device);
      if (known === undefined) return undefined;
      const mark = Buffer.from(markOf(known.number, holder ?? { id: 0, passwordHash: '' }));
      const isKnown = known.marks.some((one) => timingSafeEqual(Buffer.from(one), mark));
      return isKnown && holder !== undefined ? known.number : undefined;
    },

    /** The new cookie, which keeps the marks of other accounts. */
    async remember(device: string | undefined, userId: number): Promise<string> {
      const passwordHash = (await users.passwordHashOf(userId)) ?? '';
      const { number, marks } = read(device) ?? {
        number: randomBytes(NUMBER_BYTES).toString('base64url'),
        marks: [],
      };
      const mark = markOf(number, { id: userId, passwordHash });
      return [number, ...new Set([mark, ...marks])].slice(0, 1 + MARKS_MAX).join('.');
    },
  };
};
