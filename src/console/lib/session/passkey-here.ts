import { readStored, store } from '../browser/stored.ts';

const KEY = 'passkey_here';
const BARE_ADDRESS = /^[\d.]+$|^\[/;

/** Whether browsers make and use passkeys at this address: over https, or localhost, and not a bare address. */
export const passkeysWork = (): boolean =>
  'PublicKeyCredential' in window && isSecureContext && !BARE_ADDRESS.test(location.hostname);

/** Remembers that a passkey was used in this browser, so that it is offered first. */
export const rememberPasskey = (): void => store(KEY, 'true');

/** Whether passkeys work here and one was used in this browser before. */
export const hasPasskeyHere = (): boolean => passkeysWork() && readStored(KEY) === 'true';
