import { createPublicKey, createPrivateKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto';
import type { SealSigning } from '#core/seal/published-seals.ts';

const PUBLIC_KEY_BYTES = 32;

/** Node's SHA-256 and Ed25519, for making and checking seals. */
export const sealCrypto: SealSigning = {
  sha256: (data) => hash('sha256', data, 'base64url'),
  verify: (publicKey, text, signature) => {
    // Refused here, because the library would throw.
    if (Buffer.from(publicKey, 'base64url').length !== PUBLIC_KEY_BYTES) return false;
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
  },
  makePair: () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    return {
      publicKey: publicKey.export({ format: 'jwk' }).x ?? '',
      privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    };
  },
  sign: (privateKey, text) => {
    const key = createPrivateKey({
      key: Buffer.from(privateKey, 'base64url'),
      format: 'der',
      type: 'pkcs8',
    });
    return sign(null, Buffer.from(text), key).toString('base64url');
  },
};
