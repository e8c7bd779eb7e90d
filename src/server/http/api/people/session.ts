import type * as contract from '#contract/api/people/session.ts';
import { AUTO_GROUP, DEFAULT_GROUP } from '#contract/codes.ts';
import type { Language } from '#contract/messages.ts';
import type { Routing } from '#core/channel/routing.ts';
import { groupRatio } from '#core/quota/group-ratio.ts';
import type { Accounts } from '../../../control/people/sign-in/accounts.ts';
import type { KnownDevices } from '../../../control/people/sign-in/known-devices.ts';
import type { Registration } from '../../../control/people/sign-in/registration.ts';
import { sayError } from '../../../control/refuse.ts';
import { type Sessions, sha256 } from '../../../control/people/sign-in/sessions.ts';
import { usableGroups, usableModels } from '../../../control/people/usable-groups.ts';
import type { Handlers } from '../../handler.ts';
import { selfWire, sessionUserWire } from './user-wire.ts';

interface SessionDeps {
  readonly accounts: Accounts;
  readonly registration: Registration;
  readonly sessions: Sessions;
  readonly knownDevices: Pick<KnownDevices, 'remember'>;
  readonly routing: () => Routing;
}

/** Signing in and out, and one's own account. */
export const sessionHandlers = ({
  accounts,
  registration,
  sessions,
  knownDevices,
  routing,
}: SessionDeps): Handlers<typeof contract> => ({
  register: async ({ body }) => {
    await registration.withPassword({
      username: body.username,
      password: body.password,
      repeated: body.password2,
      email: body.email ?? '',
      code: body.verification_code ?? '',
      affCode: body.aff_code ?? undefined,
    });
    return null;
  },
  login: async ({ body }, call) => {
    const entered = await accounts.login(body.username, body.password, call);
    if ('ticket' in entered) return { require_2fa: true as const, ticket: entered.ticket };
    if (call.sessionId !== undefined) await sessions.end(sha256(call.sessionId));
    call.setSession(entered.sessionId);
    call.setDevice(await knownDevices.remember(call.device, entered.user.id));
    return sessionUserWire(entered.user);
  },
  logout: async (_, call) => {
    if (!call.sameOrigin) throw sayError('forbidden', 'cross_site');
    if (call.sessionId !== undefined) await sessions.end(sha256(call.sessionId));
    call.setSession(undefined);
    return null;
  },
  readSelf: async (_, { actor }) => ({
    ...selfWire(actor.user),
    has_password: await accounts.hasPassword(actor.user.id),
  }),
  updateSelf: async ({ body }, { actor, device, setDevice }) => {
    await accounts.changeProfile(actor, {
      username: body.username,
      displayName: body.display_name,
      password: body.password,
      originalPassword: body.original_password,
    });
    if (body.password) setDevice(await knownDevices.remember(device, actor.user.id));
    return null;
  },
  ownModels: async (_, { actor }) => usableModels(routing(), actor.user),
  availableModels: async (_, { actor }) => usableModels(routing(), actor.user),
  visitorGroups: async (_, { language }) => groupsOpenTo(routing(), DEFAULT_GROUP, autoWords[language]),
  ownGroups: async (_, { actor, language }) => groupsOpenTo(routing(), actor.user.group, autoWords[language]),
  makeAccessToken: async (_, { actor }) => accounts.makeAccessToken(actor),
});

/** The group `auto` has no ratio of its own, so a word is shown. */
const autoWords = {
  zh: { desc: '自动选择', ratio: '自动' },
  en: { desc: 'automatic', ratio: 'auto' },
} as const satisfies Record<Language, OpenGroup>;

interface OpenGroup {
  readonly desc: string;
  readonly ratio: number | string;
}

/**
 * The groups of this user group. If new tokens use `auto` by default, everybody may choose it, even if the operator
 * has not described it.
 */
const groupsOpenTo = (
  { options }: Routing,
  userGroup: string,
  auto: OpenGroup,
): Record<string, OpenGroup> => ({
  ...(options.DefaultUseAutoGroup && { [AUTO_GROUP]: auto }),
  ...Object.fromEntries(
    [...usableGroups(options, userGroup)].map(([group, desc]) => [
      group,
      { desc, ratio: group === AUTO_GROUP ? auto.ratio : groupRatio(options, userGroup, group).ratio },
    ]),
  ),
});
