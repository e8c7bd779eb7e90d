import type * as contract from '#contract/api/people/second-factor.ts';
import type { Entry } from '../../../control/people/sign-in/entry.ts';
import type { KnownDevices } from '../../../control/people/sign-in/known-devices.ts';
import type { SecondFactors } from '../../../control/people/sign-in/second-factor.ts';
import { type Sessions, sha256 } from '../../../control/people/sign-in/sessions.ts';
import type { Handlers } from '../../handler.ts';
import { sessionUserWire } from './user-wire.ts';

interface SecondFactorDeps {
  readonly entry: Entry;
  readonly secondFactors: SecondFactors;
  readonly sessions: Sessions;
  readonly knownDevices: Pick<KnownDevices, 'remember'>;
}

/** Two-step sign-in. */
export const secondFactorHandlers = ({
  entry,
  secondFactors,
  sessions,
  knownDevices,
}: SecondFactorDeps): Handlers<typeof contract> => ({
  finishLogin: async ({ body }, call) => {
    const { user, sessionId } = await entry.finish(body.ticket, body.code, call);
    if (call.sessionId !== undefined) await sessions.end(sha256(call.sessionId));
    call.setSession(sessionId);
    call.setDevice(await knownDevices.remember(call.device, user.id));
    return sessionUserWire(user);
  },
  readSecondFactor: async (_, { actor }) => {
    const { isOn, backupCodesLeft } = await secondFactors.state(actor.user.id);
    return { enabled: isOn, backup_codes_left: backupCodesLeft };
  },
  beginSecondFactor: async (_, { actor }) => {
    return secondFactors.begin(actor.user);
  },
  enableSecondFactor: async ({ body }, { actor }) => {
    const codes = await secondFactors.enable(actor.user, body.code);
    await sessions.endAllOf(actor.user.id, actor.sessionHash);
    return [...codes];
  },
  disableSecondFactor: async ({ body }, { actor }) => {
    await secondFactors.disable(actor.user, body.code);
    return null;
  },
  renewBackupCodes: async ({ body }, { actor }) => [
    ...(await secondFactors.renewBackupCodes(actor.user, body.code)),
  ],
});
