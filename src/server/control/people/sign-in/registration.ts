import { AFF_CODE_LENGTH } from '#contract/limits.ts';
import { DEFAULT_GROUP, logType, role } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger, Movement } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { Gifts, NewUser, OwedGifts, UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';
import type { Passwords } from './passwords.ts';
import { refuse } from '../../refuse.ts';
import type { Verification } from './verification.ts';

export interface RegistrationDeps {
  readonly users: Pick<UserStore, 'create' | 'byAffCode' | 'isNameTaken' | 'owedGifts' | 'giftsCredited'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly verification: Pick<Verification, 'use' | 'checkDomain'>;
  readonly ledger: Pick<Ledger, 'move'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly random: Random;
}

/** The registration form; fields that the site does not ask for are empty. */
export interface PasswordRegistration {
  readonly username: string;
  readonly password: string;
  readonly repeated: string | undefined;
  readonly email: string;
  readonly code: string;
  readonly affCode: string | undefined;
}

/** A new account, and who invited it. */
export type NewAccount = Omit<NewUser, 'affCode' | 'inviterId' | 'createdAtMs' | 'gifts'> & {
  readonly inviter: User | undefined;
};

export type Registration = ReturnType<typeof createRegistration>;

/** Throws where nobody new may have an account: registering is off, or the site serves its owner alone. */
export const refuseNewcomers = ({
  RegisterEnabled,
  SelfUseModeEnabled,
}: Pick<OptionValues, 'RegisterEnabled' | 'SelfUseModeEnabled'>): void => {
  if (!RegisterEnabled || SelfUseModeEnabled) throw refuse('register_off');
};

/** Registers accounts and credits the gifts for new users and their inviters. Refusals are thrown. */
export const createRegistration = (deps: RegistrationDeps) => {
  const create = async ({ inviter, ...account }: NewAccount): Promise<number> => {
    const gifts = giftsOf(deps.options(), inviter);
    const id = await deps.users.create({
      ...account,
      ...(gifts && { gifts }),
      affCode: deps.random.alphanumeric(AFF_CODE_LENGTH),
      inviterId: inviter?.id ?? 0,
      createdAtMs: deps.clock.now(),
    });
    if (id === 'taken') throw refuse('name_taken');
    // The account exists by now, so gifts that cannot be credited are credited later.
    if (gifts !== undefined)
      await credit(deps, { ...gifts, user: { id, username: account.username } }).catch(() => undefined);
    return id;
  };

  return {
    create,
    /** Credits gifts that could not be credited because of a crash or a failing database; run by the clock. */
    async creditOwed(): Promise<void> {
      const owed = await deps.users.owedGifts();
      // A gift that cannot be credited does not delay the others.
      const outcomes = await Promise.allSettled(owed.map((one) => credit(deps, one)));
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    },
    inviterOf: async (affCode: string | undefined): Promise<User | undefined> =>
      affCode ? deps.users.byAffCode(affCode) : undefined,

    /** Registers by name and password, and with a verified e-mail if the site requires one. */
    async withPassword(wish: PasswordRegistration): Promise<void> {
      const options = deps.options();
      refuseNewcomers(options);
      if (!options.PasswordRegisterEnabled) throw refuse('password_register_off');
      if (wish.repeated !== undefined && wish.repeated !== wish.password) throw refuse('passwords_differ');
      // Checked before the code is used up, so that it can be sent again with another name.
      if (await deps.users.isNameTaken(wish.username)) throw refuse('name_taken');
      const inviter = wish.affCode ? await deps.users.byAffCode(wish.affCode) : undefined;
      // A mistyped invite code would cost both people their gifts, which nobody could correct afterwards.
      if (wish.affCode && inviter === undefined) throw refuse('invite_unknown');
      const email = options.EmailVerificationEnabled ? await provenEmail(deps, wish) : '';
      await create({
        username: wish.username,
        displayName: wish.username,
        email,
        passwordHash: await deps.passwords.hash(wish.password),
        role: role.user,
        group: DEFAULT_GROUP,
        inviter,
      });
    },
  };
};

const provenEmail = async (
  { verification }: RegistrationDeps,
  { email, code }: PasswordRegistration,
): Promise<string> => {
  if (email === '') throw refuse('email_needed');
  verification.checkDomain(email);
  await verification.use(email, code);
  return email;
};

const giftsOf = (
  { QuotaForNewUser, QuotaForInvitee, QuotaForInviter }: OptionValues,
  inviter: User | undefined,
): Gifts | undefined => {
  const isInvited = inviter !== undefined;
  const gifts = {
    ofNewUser: QuotaForNewUser,
    ofInvitee: isInvited ? QuotaForInvitee : 0,
    ofInviter: isInvited ? QuotaForInviter : 0,
    inviter: isInvited ? { id: inviter.id, username: inviter.username } : undefined,
  };
  return gifts.ofNewUser + gifts.ofInvitee + gifts.ofInviter > 0 ? gifts : undefined;
};

/** Credits what is owed for an account, each gift once, however often this is tried. */
const credit = async (
  deps: RegistrationDeps,
  { user, inviter, ofNewUser, ofInvitee, ofInviter, ofSetup = 0 }: OwedGifts,
): Promise<void> => {
  const { id } = user;
  await give(deps, user, {
    kind: 'grant',
    ref: 'setup',
    deltaUnits: ofSetup,
    reason: storedPhrase('log_setup'),
  });
  await give(deps, user, {
    kind: 'grant',
    ref: `new-user:${id}`,
    deltaUnits: ofNewUser,
    reason: storedPhrase('log_new_user'),
  });
  await give(deps, user, {
    kind: 'grant',
    ref: `invitee:${id}`,
    deltaUnits: ofInvitee,
    reason: storedPhrase('log_invitee'),
  });
  if (inviter !== undefined)
    await give(deps, inviter, {
      kind: 'invite',
      ref: `inviter:${id}`,
      deltaUnits: 0,
      earnedUnits: ofInviter,
      reason: storedPhrase('log_inviter', { id }),
    });
  await deps.users.giftsCredited(id);
};

type Gift = Pick<Movement, 'kind' | 'ref' | 'deltaUnits' | 'earnedUnits' | 'reason'>;

/** Credits a gift once and logs it. Does nothing if the gift is 0. */
const give = async (
  { ledger, clock }: RegistrationDeps,
  to: OwedGifts['user'],
  gift: Gift,
): Promise<void> => {
  const quotaUnits = gift.deltaUnits + (gift.earnedUnits ?? 0);
  if (quotaUnits === 0) return;
  const nowMs = clock.now();
  const event = {
    createdAtMs: nowMs,
    type: logType.system,
    userId: to.id,
    username: to.username,
    content: gift.reason,
    quotaUnits,
  };
  await ledger.move({ ...gift, userId: to.id, actorId: 0, nowMs, log: eventRow(event) });
};
