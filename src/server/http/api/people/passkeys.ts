import type * as contract from '#contract/api/people/passkeys.ts';
import type { KnownDevices } from '../../../control/people/sign-in/known-devices.ts';
import type { Passkeys } from '../../../control/people/sign-in/passkeys.ts';
import { type Sessions, sha256 } from '../../../control/people/sign-in/sessions.ts';
import type { Handlers } from '../../handler.ts';
import { toSeconds } from '../page.ts';
import { sessionUserWire } from './user-wire.ts';

interface PasskeyHandlerDeps {
  readonly ownPasskeys: Passkeys;
  readonly sessions: Sessions;
  readonly knownDevices: Pick<KnownDevices, 'remember'>;
}

/** Signing in with a passkey, and managing one's own. */
export const passkeyHandlers = ({
  ownPasskeys,
  sessions,
  knownDevices,
}: PasskeyHandlerDeps): Handlers<typeof contract> => ({
  beginPasskeyLogin: async (_, { origin }) => ownPasskeys.beginProof(origin),
  finishPasskeyLogin: async ({ body }, call) => {
    const { user, sessionId } = await ownPasskeys.enter(body.credential, call.origin, call);
    if (call.sessionId !== undefined) await sessions.end(sha256(call.sessionId));
    call.setSession(sessionId);
    call.setDevice(await knownDevices.remember(call.device, user.id));
    return sessionUserWire(user);
  },
  listPasskeys: async (_, { actor }) =>
    (await ownPasskeys.listOf(actor.user)).map((passkey) => ({
      id: passkey.id,
      name: passkey.name,
      created_at: toSeconds(passkey.createdAtMs),
      last_used_at: passkey.usedAtMs === null ? null : toSeconds(passkey.usedAtMs),
    })),
  beginPasskey: async (_, { actor, origin }) => ownPasskeys.begin(actor, origin),
  finishPasskey: async ({ body }, { actor, origin }) => {
    await ownPasskeys.finish(actor, body.name, body.credential, origin);
    return null;
  },
  renamePasskey: async ({ params, body }, { actor }) => {
    await ownPasskeys.rename(actor.user, params.id, body.name);
    return null;
  },
  removePasskey: async ({ params }, { actor }) => {
    await ownPasskeys.remove(actor, params.id);
    return null;
  },
});
