import { z } from 'zod';
import { endpoint, idParams, nothing } from '../../endpoint.ts';
import { PASSKEY_NAME_MAX_LENGTH } from '../../limits.ts';
import { issueKey, text, trimmed } from '../../text.ts';
import { sessionUser } from './session.ts';

const encoded = (maxLength: number) => text(maxLength).regex(/^[A-Za-z0-9_-]+$/, issueKey('issue_base64url'));
const results = z.record(z.string(), z.unknown()).default({});
const attachment = z.enum(['platform', 'cross-platform']).nullish();
const passkeyName = trimmed(PASSKEY_NAME_MAX_LENGTH).min(1);

/** What a browser gives for a new passkey. Source: WebAuthn level 3, RegistrationResponseJSON. */
const madeCredential = z.object({
  id: encoded(2048),
  rawId: encoded(2048),
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: results,
  response: z.object({
    clientDataJSON: encoded(8192),
    attestationObject: encoded(65_536),
    transports: z
      .array(text(32).regex(/^[a-z-]+$/))
      .max(10)
      .default([]),
  }),
});

/** What a browser gives to prove a passkey. Source: WebAuthn level 3, AuthenticationResponseJSON. */
export const provenCredential = z.object({
  id: encoded(2048),
  rawId: encoded(2048),
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: results,
  response: z.object({
    clientDataJSON: encoded(8192),
    authenticatorData: encoded(8192),
    signature: encoded(8192),
    userHandle: encoded(256).nullish(),
  }),
});

/** Options for the browser's API, passed on unchanged; named is what it needs. Source: WebAuthn level 3, section 5.4. */
const proofOptions = z.looseObject({ challenge: z.string() });
const creationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.object({ id: z.string().optional(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number() })),
});

export const beginPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/user/passkey/login/begin',
  access: 'public',
  owner: 'none',
  rate: 'oauth',
  summary: 'What a browser needs to ask for a passkey; good once, for five minutes',
  data: proofOptions,
});

export const finishPasskeyLogin = endpoint({
  method: 'POST',
  path: '/api/user/passkey/login/finish',
  access: 'public',
  owner: 'none',
  rate: 'login',
  summary:
    'Sign in with a passkey; counts as both steps, because the device asks for a finger, a face or a PIN',
  body: z.strictObject({ credential: provenCredential }),
  data: sessionUser,
});

export const listPasskeys = endpoint({
  method: 'GET',
  path: '/api/user/passkeys',
  access: 'user',
  owner: 'self',
  summary: 'The own passkeys, the newest first',
  data: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      created_at: z.number(),
      last_used_at: z.number().nullable(),
    }),
  ),
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/register/begin',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'What a browser needs to make a passkey',
  data: creationOptions,
});

export const finishPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkey/register/finish',
  access: 'user',
  owner: 'self',
  summary: 'Keep the passkey that was made',
  body: z.strictObject({ name: passkeyName, credential: madeCredential }),
  data: nothing,
});

export const renamePasskey = endpoint({
  method: 'PUT',
  path: '/api/user/passkeys/:id',
  access: 'user',
  owner: 'self',
  summary: 'Give one of your passkeys another name',
  params: idParams,
  body: z.strictObject({ name: passkeyName }),
  data: nothing,
});

export const removePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkeys/:id',
  access: 'user',
  owner: 'self',
  fresh: 'always',
  summary: 'Remove one of your passkeys, never the last way in',
  params: idParams,
  data: nothing,
});
