import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** The defaults of a device: it verifies its user, counts signatures, and reports its origin. */
export interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** Flags of authenticator data. Source: WebAuthn level 3, section 6.1. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A device's key pair in software: ES256, without attestation. */
export const createSoftwareAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counted = 0;

  const clientDataOf = (type: string, { challenge, origin }: Ceremony): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataOf = (ceremony: Ceremony, more = 0): Buffer => {
    counted = ceremony.counter ?? counted + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(counted);
    const flags = PRESENT | (ceremony.isVerified === false ? 0 : VERIFIED) | more;
    return Buffer.concat([sha256(new URL(ceremony.origin).hostname), Buffer.from([flags]), counter]);
  };
  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key' };

  return {
    /** The answer to `navigator.credentials.create`. */
    make(ceremony: Ceremony) {
      const coseKey = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]);
      const head = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id]);
      const authData = Buffer.concat([dataOf(ceremony, HAS_CREDENTIAL), head, isoCBOR.encode(coseKey)]);
      const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ]);
      const attestationObject = base64url(isoCBOR.encode(attestation));
      const clientDataJSON = base64url(clientDataOf('webauthn.create', ceremony));
      return { ...named, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },

    /** The answer to `navigator.credentials.get`. */
    prove(ceremony: Ceremony) {
      const clientData = clientDataOf('webauthn.get', ceremony);
      const authData = dataOf(ceremony);
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: ceremony.userHandle ?? null,
        },
      };
    },
  };
};
