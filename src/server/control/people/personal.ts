import { randomUUID } from 'node:crypto';
import { logType } from '#contract/codes.ts';
import { isRoot } from '#contract/may.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Clock } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import type { LogStore } from '#core/log/log-store.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { ListedSession } from '#core/session/session-store.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { ManagedUserStore } from '#core/user/managed-user-store.ts';
import type { User } from '#core/user/user.ts';
import { webhookPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { CheckUrl } from '../channels/channel-proxy.ts';
import type { Actor } from './identity.ts';
import { logAction } from '../log-action.ts';
import { refuse, sayError, whyOf } from '../refuse.ts';
import type { Sessions } from './sign-in/sessions.ts';
import type { TellOwner } from './sign-in/tell-owner.ts';
import { readUserSetting, type UserSetting, userSettingText } from './user-setting.ts';
import type { Verification } from './sign-in/verification.ts';

export interface PersonalDeps {
  readonly identities: IdentityStore;
  readonly managedUsers: Pick<ManagedUserStore, 'softDelete'>;
  readonly sessions: Sessions;
  readonly verification: Pick<Verification, 'use' | 'checkDomain'>;
  readonly ledger: Pick<Ledger, 'move'>;
  readonly vault: Vault;
  readonly checkUrl: CheckUrl;
  readonly relay: { invalidateUser(userId: number): void };
  readonly tellOwner: TellOwner;
  readonly logs: Pick<LogStore, 'append'>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
}

/** Absent fields stay. An empty secret keeps the stored one; `forgetSecret` removes it. */
export type SettingWish = Partial<Omit<UserSetting, 'sealedWebhookSecret'>> & {
  /** A new secret of the webhook. */
  readonly webhookSecret?: string | undefined;
  readonly forgetSecret?: boolean;
};

export type Personal = ReturnType<typeof createPersonal>;

/** Users' own settings, except name and password. */
export const createPersonal = (deps: PersonalDeps) => ({
  /** Moves invite earnings to the balance, atomically. The minimum is the quota of one unit of money. */
  async transfer(user: User, quotaUnits: number): Promise<void> {
    const minimum = deps.options().QuotaPerUnit;
    if (quotaUnits < minimum) throw refuse('transfer_too_small', { minimum });
    const nowMs = deps.clock.now();
    const reason = storedPhrase('log_transfer');
    const { id, username } = user;
    const event = {
      createdAtMs: nowMs,
      type: logType.system,
      userId: id,
      username,
      content: reason,
      quotaUnits,
    };
    const outcome = await deps.ledger.move({
      kind: 'transfer',
      ref: randomUUID(),
      userId: user.id,
      deltaUnits: quotaUnits,
      earnedUnits: -quotaUnits,
      reason,
      actorId: user.id,
      nowMs,
      log: eventRow(event),
    });
    if (outcome === 'would_overflow') throw refuse('quota_too_large');
    if (outcome !== 'moved') throw refuse('transfer_too_large');
  },

  async saveSetting(user: User, wish: SettingWish): Promise<void> {
    if (wish.webhookUrl !== undefined && wish.webhookUrl !== '') checkWebhook(deps, wish.webhookUrl);
    await deps.identities.changeSetting(user.id, (setting) =>
      settingAfter(deps.vault, { id: user.id, setting }, wish),
    );
    deps.relay.invalidateUser(user.id);
  },

  /** Binds an e-mail address whose code was right. */
  async bindEmail(actor: Actor, email: string, code: string): Promise<void> {
    deps.verification.checkDomain(email);
    await deps.verification.use(email, code);
    const outcome = await deps.identities.setEmail(actor.user.id, email);
    if (outcome !== 'set') throw refuse(outcome === 'taken' ? 'email_taken' : 'user_is_gone');
    if (email !== actor.user.email) deps.tellOwner(actor.user, 'email');
  },

  sessionsOf: (user: User): Promise<readonly ListedSession[]> => deps.sessions.listOf(user.id),

  async endSession(user: User, hash: string): Promise<void> {
    if (!(await deps.sessions.endOwn(user.id, hash))) throw refuse('session_missing');
  },

  endOtherSessions: ({ user, sessionHash }: Actor): Promise<void> =>
    deps.sessions.endAllOf(user.id, sessionHash),

  /** Deletes the own account: the row stays, all sessions and keys end at once. */
  async deleteSelf(actor: Actor, typedUsername: string | undefined): Promise<void> {
    const { user } = actor;
    if (isRoot(user)) throw refuse('root_not_deleted');
    if (typedUsername !== undefined && typedUsername !== user.username) throw refuse('wrong_username');
    await deps.managedUsers.softDelete(user.id, deps.clock.now());
    await deps.sessions.endAccessOf(user.id);
    deps.relay.invalidateUser(user.id);
    deps.tellOwner(user, 'closed');
    await logAction(deps, user, storedPhrase('log_user_delete', { name: user.username, id: user.id }));
  },
});

const settingAfter = (
  vault: Vault,
  owner: Pick<User, 'id' | 'setting'>,
  { forgetSecret = false, webhookSecret: typed = '', ...wish }: SettingWish,
): string => {
  const before = readUserSetting(owner.setting);
  const after = { ...before, ...wish };
  if (after.notifyType === 'webhook' && after.webhookUrl === '') throw refuse('webhook_https');
  // A secret is only sent to the address it was saved for, so a new address drops it.
  const isMoved = after.webhookUrl !== before.webhookUrl;
  const isForgotten = forgetSecret || after.webhookUrl === '';
  if (isMoved && !isForgotten && before.sealedWebhookSecret !== '' && typed === '')
    throw refuse('webhook_secret_again');
  const given = typed === '' ? before.sealedWebhookSecret : vault.encrypt(typed, webhookPlace(owner.id));
  return userSettingText({ ...after, sealedWebhookSecret: isForgotten ? '' : given });
};

/** The server calls webhooks, so they must be https and pass the outbound guard. */
const checkWebhook = ({ checkUrl }: PersonalDeps, url: string): void => {
  if (!/^https:\/\//i.test(url)) throw refuse('webhook_https');
  try {
    checkUrl(url);
  } catch (thrown) {
    throw sayError('refused', 'webhook_address', { issue: whyOf(thrown) });
  }
};
