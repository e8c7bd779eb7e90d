import { DEFAULT_GROUP, logType, role } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger, MovementKind } from '#core/ledger/ledger.ts';
import type { LogStore } from '#core/log/log-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { Passwords } from './passwords.ts';
import { refuse } from './refuse.ts';

const AFF_CODE_LENGTH = 8;

export interface RegistrationDeps {
  readonly users: Pick<UserStore, 'create' | 'byAffCode'>;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly ledger: Pick<Ledger, 'move'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly repeated: string | undefined;
  readonly affCode: string | undefined;
}

/** Makes an account and credits what new accounts, and who invited them, are given. Refusals are thrown. */
export const register = async (
  deps: RegistrationDeps,
  { username, password, repeated, affCode }: Registration,
): Promise<void> => {
  const options = deps.options();
  if (!options.RegisterEnabled) throw refuse('register_off');
  if (!options.PasswordRegisterEnabled) throw refuse('password_register_off');
  if (repeated !== undefined && repeated !== password) throw refuse('passwords_differ');
  const inviter = affCode ? await deps.users.byAffCode(affCode) : undefined;
  const id = await deps.users.create({
    username,
    displayName: username,
    email: '',
    passwordHash: await deps.passwords.hash(password),
    role: role.user,
    group: DEFAULT_GROUP,
    affCode: deps.random.alphanumeric(AFF_CODE_LENGTH),
    inviterId: inviter?.id ?? 0,
    createdAtMs: deps.clock.now(),
  });
  if (id === 'taken') throw refuse('name_taken');
  await give(
    deps,
    'grant',
    `new-user:${id}`,
    { id, username },
    options.QuotaForNewUser,
    'quota for a new user',
  );
  if (inviter === undefined) return;
  await give(
    deps,
    'grant',
    `invitee:${id}`,
    { id, username },
    options.QuotaForInvitee,
    'quota for using an invite code',
  );
  await give(
    deps,
    'invite',
    `inviter:${id}`,
    inviter,
    options.QuotaForInviter,
    `quota for inviting user ${id}`,
  );
};

/** Credits a gift once and writes it down. Nothing happens where the operator gives nothing. */
const give = async (
  { ledger, logs, clock }: RegistrationDeps,
  kind: MovementKind,
  ref: string,
  to: { readonly id: number; readonly username: string },
  quotaUnits: number,
  reason: string,
): Promise<void> => {
  if (quotaUnits === 0) return;
  const nowMs = clock.now();
  const outcome = await ledger.move({
    kind,
    ref,
    userId: to.id,
    deltaUnits: quotaUnits,
    reason,
    actorId: 0,
    nowMs,
  });
  if (outcome !== 'moved') return;
  await logs.append({
    createdAtMs: nowMs,
    type: logType.system,
    userId: to.id,
    username: to.username,
    content: reason,
    quotaUnits,
  });
};
