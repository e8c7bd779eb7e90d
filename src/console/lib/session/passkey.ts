import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import { beginPasskey, beginPasskeyLogin, finishPasskey } from '#contract/api/people/passkeys.ts';
import { call } from '../server/api.ts';
import { loadTexts, textsOf } from '../text/i18n.ts';
import { rememberPasskey } from './passkey-here.ts';

/** The user has started a ceremony, which an offer must not interrupt. */
let isAsked = false;

/** Asks the device for a passkey; the result goes into the call that takes one. */
export const provePasskey = async () => {
  isAsked = true;
  try {
    return provenOf(await inWords(startAuthentication({ optionsJSON: await challenge() })));
  } finally {
    isAsked = false;
  }
};

/**
 * Makes the browser offer passkeys in the suggestions of the name field. Resolves when one was chosen; undefined if that is not
 * possible, or if `provePasskey` or `endOffer` was called meanwhile. Source: WebAuthn level 3, conditional mediation.
 */
export const offerPasskey = async () => {
  try {
    if (!(await browserSupportsWebAuthnAutofill())) return undefined;
    const optionsJSON = await challenge();
    if (isAsked) return undefined;
    return provenOf(await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
  } catch {
    // The offer was ours, so its failure is not shown.
    return undefined;
  }
};

export const endOffer = (): void => WebAuthnAbortService.cancelCeremony();

const challenge = () => call(beginPasskeyLogin);

const provenOf = (proven: AuthenticationResponseJSON) => {
  const { clientExtensionResults: _, ...credential } = proven;
  return credential;
};

/** Creates a passkey on the device and registers it with the server. */
export const makePasskey = async (name: string): Promise<void> => {
  const optionsJSON = await call(beginPasskey);
  const { id, rawId, type, response } = await inWords(startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  await call(finishPasskey, { body: { name, credential } });
  rememberPasskey();
};

/** Replaces browsers' technical messages. Source: WebAuthn level 3, the errors of both ceremonies. */
const inWords = async <Result>(ceremony: Promise<Result>): Promise<Result> => {
  try {
    return await ceremony;
  } catch (error) {
    // Most ceremonies need no words.
    await loadTexts('enter');
    const problem = problems[error instanceof Error ? error.name : ''] ?? 'unable';
    throw new Error(textsOf('enter')(`passkey.${problem}`), { cause: error });
  }
};

const problems: Readonly<Record<string, 'cancelled' | 'known' | 'elsewhere'>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'known',
  SecurityError: 'elsewhere',
};
