import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { keyLine } from '#core/seal/lines.ts';
import { keyIdOf, type SealSigning } from '#core/seal/published-seals.ts';
import type { StoredSealKey, SealClaim, SealStore } from '#core/seal/seal-store.ts';
import { sealKeyPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import { refuse, sayError } from '../refuse.ts';

export interface SealKeyDeps {
  readonly seals: SealStore;
  readonly vault: Vault;
  readonly sealCrypto: SealSigning;
  readonly clock: Clock;
}

/** Signs with the current key. */
export interface Signer {
  readonly id: string;
  readonly publicKey: string;
  sign(text: string): string;
}

const MOST_TRIES = 50;
const TRY_AGAIN_MS = 100;

export type SealKeys = ReturnType<typeof createSealKeys>;

/** What signs with stored keys. */
const signersOf = ({ vault, sealCrypto }: Pick<SealKeyDeps, 'vault' | 'sealCrypto'>) => {
  /** Throws `unavailable` if the private key was damaged in the database. */
  const signerOf = ({ id, publicKey, privateEncrypted }: StoredSealKey): Signer => {
    let privateKey: string;
    try {
      privateKey = vault.decrypt(privateEncrypted, sealKeyPlace(id));
    } catch (cause) {
      throw sayError('unavailable', 'seal_key_damaged', { key: id }, { cause });
    }
    return { id, publicKey, sign: (text) => sealCrypto.sign(privateKey, text) };
  };
  const isDamaged = (key: StoredSealKey): boolean => {
    try {
      signerOf(key);
      return false;
    } catch {
      return true;
    }
  };
  return { signerOf, isDamaged };
};

/** The keys that sign seals and receipts. Private keys are stored encrypted. */
export const createSealKeys = ({ seals, vault, sealCrypto, clock }: SealKeyDeps) => {
  const { signerOf, isDamaged } = signersOf({ vault, sealCrypto });

  /** Makes a new key, signed by the one before or, without one, by itself. */
  const make = async (
    claim: SealClaim,
    before: Signer | undefined,
    firstSeal: number,
  ): Promise<StoredSealKey> => {
    const { publicKey, privateKey } = sealCrypto.makePair();
    const id = keyIdOf(sealCrypto.sha256, publicKey);
    const madeAtMs = clock.now();
    const line = keyLine({
      id,
      public_key: publicKey,
      first_seal: firstSeal,
      made_at: Math.floor(madeAtMs / 1000),
    });
    const signature = before === undefined ? sealCrypto.sign(privateKey, line) : before.sign(line);
    const privateEncrypted = vault.encrypt(privateKey, sealKeyPlace(id));
    const key = { id, publicKey, privateEncrypted, firstSeal, madeAtMs, line, signature };
    await claim.addKey(key);
    return key;
  };

  const nextNumber = async (): Promise<number> => ((await seals.last())?.number ?? 0) + 1;
  const last = async (): Promise<StoredSealKey | undefined> => (await seals.keys()).at(-1);

  return {
    /** The key that signs the next seal, which has this number. Made if there is none yet. */
    forSeal: async (claim: SealClaim, number: number): Promise<Signer> =>
      signerOf((await last()) ?? (await make(claim, undefined, number))),

    /** Makes a new key for the next seal, and for receipts from now on. */
    rotate: async (claim: SealClaim): Promise<StoredSealKey> => {
      const number = await nextNumber();
      const before = (await last()) ?? (await make(claim, undefined, number));
      return make(claim, signerOf(before), number);
    },

    /**
     * Makes a new key that none before it has signed, because the last one is damaged. Whoever checks by that one has to be
     * told the new one. Refused while the last one can sign its successor.
     */
    beginAnew: async (claim: SealClaim): Promise<StoredSealKey> => {
      const before = await last();
      if (before === undefined || !isDamaged(before)) throw refuse('seal_key_sound');
      return make(claim, undefined, await nextNumber());
    },

    /** Whether the key that signs cannot be opened, so that nothing can be sealed. */
    isDamaged: async (): Promise<boolean> => {
      const key = await last();
      return key !== undefined && isDamaged(key);
    },

    /** The key that signs receipts. Throws `unavailable` if there is none and none can be made. */
    async current(): Promise<Signer> {
      for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
        const key = await last();
        if (key !== undefined) return signerOf(key);
        const claim = await seals.claim(clock.now());
        // Whoever holds the claim makes the first key.
        if (claim === undefined) await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
        else
          try {
            return await this.forSeal(claim, await nextNumber());
          } finally {
            await claim.release();
          }
      }
      throw new AppError('unavailable', 'there is no key to sign with yet');
    },
  };
};
