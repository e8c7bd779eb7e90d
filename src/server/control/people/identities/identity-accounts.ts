import { DEFAULT_GROUP, role } from '#contract/codes.ts';
import { newUsername, UNSEEN } from '#contract/api/people/session.ts';
import { DISPLAY_NAME_MAX_LENGTH } from '#contract/limits.ts';
import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import { type ServiceName, signInServices } from '#contract/sign-in-services.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { ExternalIdentity } from '#core/identity-provider.ts';
import { AppError } from '#core/error.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';
import type { Entered, Entry } from '../sign-in/entry.ts';
import type { Actor } from '../identity.ts';
import { refuse, sayError } from '../../refuse.ts';
import { refuseNewcomers, type Registration } from '../sign-in/registration.ts';
import { waysInOf } from '../sign-in/ways-in.ts';
import type { From } from '../sign-in/sessions.ts';
import type { TellOwner } from '../sign-in/tell-owner.ts';

const NAME_TRIES = 5;

export interface IdentityAccountDeps {
  readonly identities: IdentityStore;
  readonly users: Pick<UserStore, 'byId'>;
  readonly entry: Pick<Entry, 'enter'>;
  readonly registration: Pick<Registration, 'create' | 'inviterOf'>;
  readonly options: () => OptionValues;
  readonly tellOwner: TellOwner;
  readonly clock: Clock;
  readonly random: Random;
}

export type IdentityAccounts = ReturnType<typeof createIdentityAccounts>;

/** Signs in, registers, binds and unbinds users of other services. */
export const createIdentityAccounts = (deps: IdentityAccountDeps) => {
  const { identities, entry } = deps;

  const known = async (service: ServiceName, id: string): Promise<User | undefined> => {
    const user = await identities.byIdentity(service, id);
    // A deleted account cannot sign in through another service.
    if (user !== undefined && user.deletedAtMs !== null) throw refuse('user_is_gone');
    return user;
  };

  return {
    /** Signs in the account this identity is bound to. A matching e-mail or name binds nothing. */
    async enterBound(service: ServiceName, id: string, from: From): Promise<Entered> {
      const user = await known(service, id);
      if (user === undefined) throw refuse('identity_unbound', { provider: signInServices[service].name });
      return entry.enter(user, from, { identity: { service, id } });
    },

    /** The same, but registers an account if there is none and the site allows it. */
    async enter(
      service: ServiceName,
      identity: ExternalIdentity,
      affCode: string | undefined,
      from: From,
    ): Promise<Entered> {
      const user = await known(service, identity.id);
      const proof = { identity: { service, id: identity.id } };
      if (user !== undefined) return entry.enter(user, from, proof);
      onlyToLook(deps, undefined);
      refuseNewcomers(deps.options());
      return entry.enter(await make(deps, service, identity, affCode), from, proof);
    },

    async bind(user: User, service: ServiceName, id: string): Promise<void> {
      onlyToLook(deps, user);
      const outcome = await identities.setIdentity(user.id, service, id);
      if (outcome === 'taken') throw refuse('identity_taken', { provider: signInServices[service].name });
      if (outcome === 'missing') throw refuse('user_is_gone');
      deps.tellOwner(user, 'identity');
    },

    /** The last way to sign in cannot be removed. */
    async unbind(actor: Actor, service: ServiceName): Promise<void> {
      const ways = waysInOf(deps.options(), actor.user);
      if ((await identities.unbind(actor.user.id, service, ways)) === 'last') throw refuse('identity_last');
    },
  };
};

/**
 * On a demo site people may sign in but not register. Throws `method_not_allowed` unless the user is its super admin.
 */
const onlyToLook = ({ options }: IdentityAccountDeps, user: User | undefined): void => {
  if (options().DemoSiteEnabled && (user === undefined || !isRoot(user)))
    throw sayError('method_not_allowed', 'demo_site');
};

/** The name the service gives for the user, limited to characters that can be shown. */
const readable = (name: string): string =>
  name.replaceAll(UNSEEN, '').trim().slice(0, DISPLAY_NAME_MAX_LENGTH).toWellFormed();

/** Uses the service's username if it is valid here and free; else the service's name and four random characters. */
const make = async (
  deps: IdentityAccountDeps,
  service: ServiceName,
  identity: ExternalIdentity,
  affCode: string | undefined,
): Promise<User> => {
  const inviter = await deps.registration.inviterOf(affCode);
  const wanted = newUsername.safeParse(identity.username).data;
  for (let tries = 0; tries < NAME_TRIES; tries += 1) {
    const free = `${service}_${deps.random.alphanumeric(4)}`;
    const username = tries === 0 && wanted !== undefined ? wanted : free;
    try {
      const id = await deps.registration.create({
        username,
        displayName: readable(identity.displayName) || username,
        email: '',
        passwordHash: '',
        role: role.user,
        group: DEFAULT_GROUP,
        identity: { service, id: identity.id },
        inviter,
      });
      const user = await deps.users.byId(id);
      if (user !== undefined) return user;
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.reason !== 'name_taken') throw thrown;
      // A second sign-in at the same time has already registered the account.
      const made = await deps.identities.byIdentity(service, identity.id);
      if (made !== undefined) return made;
    }
  }
  throw refuse('name_taken');
};
