import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { beginPasskey, beginPasskeyLogin, finishPasskey } from '#contract/api/passkeys.ts';
import { call } from './api.ts';
import { t } from './i18n.ts';
import { rememberPasskey } from './passkey-here.ts';

/** Has the device prove a passkey of its user: what a call that takes one is given. */
export const provePasskey = async () => {
  const options = await call(beginPasskeyLogin);
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { clientExtensionResults: _, ...credential } = await inWords(startAuthentication({ optionsJSON }));
  return credential;
};

/** Has the device make a passkey, and the server keep it. */
export const makePasskey = async (name: string): Promise<void> => {
  const options = await call(beginPasskey);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await inWords(startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
  await call(finishPasskey, { body: { name, credential } });
  rememberPasskey();
};

/** What browsers say when it did not work is for engineers. Source: WebAuthn level 3, the errors of both ceremonies. */
const inWords = async <Result>(ceremony: Promise<Result>): Promise<Result> => {
  try {
    return await ceremony;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') throw new Error(t('passkey.cancelled'));
    if (name === 'InvalidStateError') throw new Error(t('passkey.known'));
    if (name === 'SecurityError') throw new Error(t('passkey.elsewhere'));
    throw error;
  }
};
