import { isIP } from 'node:net';
import { z } from 'zod';
import type { finishPasskey, provenCredential } from '#contract/api/people/passkeys.ts';
import type { Phrase } from '#contract/messages.ts';
import type { OptionValues } from '#contract/options.ts';
import { parsed } from '#contract/json-text.ts';
import type { Passkey } from '#core/user/passkey-store.ts';
import { refuse, sayError } from '../../refuse.ts';

export type ProvenCredential = z.infer<typeof provenCredential>;
export type MadeCredential = z.infer<typeof finishPasskey.body>['credential'];

/** EdDSA, ES256, RS256: the algorithms authenticators support. Source: COSE algorithm registry. */
export const ALGORITHMS = [-8, -7, -257];

// Loaded on first use: half a megabyte that most servers never need.
export const webauthn = () => import('@simplewebauthn/server');

/** The site as passkeys know it. */
export interface PasskeySite {
  readonly origin: string;
  /** The relying party id passkeys belong to. Source: WebAuthn level 3, relying party identifier. */
  readonly id: string;
}

/**
 * The relying party: the configured address, so that a forged `Host` header changes nothing, else the browser's
 * address. Browsers require https or localhost.
 */
export const passkeySite = (options: OptionValues, origin: string): PasskeySite => {
  if (!options.PasskeyLoginEnabled) throw refuse('passkey_off');
  const address = options.ServerAddress || origin;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url?.hostname === 'localhost';
  const isName = url !== undefined && isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0;
  if (url === undefined || !isName || !(isLocal || url.protocol === 'https:'))
    throw refuse('passkey_address', { address });
  return { origin: url.origin, id: url.hostname };
};

const clientDataShape = z.object({ challenge: z.string() });

/** The challenge a browser's answer claims to have signed. */
export const challengeOf = (clientData: string): string => {
  const text = Buffer.from(clientData, 'base64url').toString();
  const read = clientDataShape.safeParse(parsed(text)).data;
  if (read === undefined) throw refuse('passkey_wrong', { issue: { key: 'proof_unreadable' } });
  return read.challenge;
};

/** @returns the new key. Throws `passkey_wrong` */
export const verifyMade = async (made: MadeCredential, challenge: string, site: PasskeySite) => {
  const { verifyRegistrationResponse } = await webauthn();
  const { id, rawId, type } = made;
  const verified = await checked(() =>
    verifyRegistrationResponse({
      response: { id, rawId, type, clientExtensionResults: {}, response: made.response },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified.verified) throw refuse('passkey_wrong', { issue: { key: 'proof_not_genuine' } });
  return verified.registrationInfo.credential;
};

/** @returns the authenticator's own signature count. Throws `passkey_wrong` */
export const verifyProof = async (
  proven: ProvenCredential,
  passkey: Passkey,
  challenge: string,
  site: PasskeySite,
): Promise<number> => {
  const { verifyAuthenticationResponse } = await webauthn();
  const { id, rawId, type } = proven;
  const { clientDataJSON, authenticatorData, signature } = proven.response;
  const { verified, authenticationInfo } = await checked(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified) throw refuse('passkey_wrong', { issue: { key: 'proof_signature' } });
  return authenticationInfo.newCounter;
};

/** Turns the library's errors about bad input into refusals with its message, and any other error into ours. */
const checked = async <Result>(verify: () => Promise<Result>): Promise<Result> => {
  try {
    return await verify();
  } catch (cause) {
    throw sayError('refused', 'passkey_wrong', { issue: issueOf(cause) }, { cause });
  }
};

const issueOf = (cause: unknown): string | Phrase => {
  if (!(cause instanceof Error) || cause.constructor !== Error) return { key: 'proof_unreadable' };
  return cause.message.startsWith('Response counter') ? { key: 'proof_copied' } : cause.message.slice(0, 200);
};
