import type { z } from 'zod';
import type * as contract from '#contract/api/people/personal.ts';
import type { updateSetting } from '#contract/api/people/personal.ts';
import type { Accounts } from '../../../control/people/sign-in/accounts.ts';
import type { Personal, SettingWish } from '../../../control/people/personal.ts';
import type { Verification } from '../../../control/people/sign-in/verification.ts';
import type { Handlers } from '../../handler.ts';
import { toSeconds } from '../page.ts';

interface PersonalDeps {
  readonly accounts: Accounts;
  readonly personal: Personal;
  readonly verification: Verification;
}

type Settings = z.infer<typeof updateSetting.body>;

/** Contains only the fields that were sent. */
const settingWish = (body: Settings): SettingWish => {
  const wish: { -readonly [Name in keyof SettingWish]: SettingWish[Name] | undefined } = {
    notifyType: body.notify_type,
    warningUnits: body.quota_warning_threshold,
    webhookUrl: body.webhook_url,
    webhookSecret: body.webhook_secret,
    notificationEmail: body.notification_email,
    forgetSecret: body.forget_webhook_secret,
    recordsIp: body.record_ip_log,
    acceptsUnpriced: body.accept_unset_model_ratio_model,
  };
  const sent = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
  if (body.language === undefined) return sent as SettingWish;
  return { ...(sent as SettingWish), language: body.language === '' ? undefined : body.language };
};

/** Users' own settings. */
export const personalHandlers = ({
  accounts,
  personal,
  verification,
}: PersonalDeps): Handlers<typeof contract> => ({
  sendVerification: async ({ query }, { language }) => {
    await verification.send(query.email, language);
    return null;
  },
  bindEmail: async ({ query }, { actor }) => {
    await personal.bindEmail(actor, query.email, query.code);
    return null;
  },
  readInviteCode: async (_, { actor }) => actor.user.affCode,
  transferEarnings: async ({ body }, { actor }) => {
    await personal.transfer(actor.user, body.quota);
    return null;
  },
  updateSetting: async ({ body }, { actor }) => {
    await personal.saveSetting(actor.user, settingWish(body));
    return null;
  },
  deleteSelf: async ({ query }, call) => {
    await personal.deleteSelf(call.actor, query.username);
    call.setSession(undefined);
    return null;
  },
  confirmSelf: async ({ body }, { actor, origin }) => {
    const { password, code, credential } = body;
    await accounts.confirm(actor, { password, code, credential }, origin);
    return null;
  },
  listSessions: async (_, { actor }) =>
    (await personal.sessionsOf(actor.user)).map((session) => ({
      id: session.idHash,
      created_at: toSeconds(session.createdAtMs),
      last_seen_at: toSeconds(session.lastSeenAtMs),
      ip: session.ip,
      user_agent: session.userAgent,
      is_current: session.idHash === actor.sessionHash,
    })),
  endSession: async ({ params }, { actor }) => {
    await personal.endSession(actor.user, params.key);
    return null;
  },
  endOtherSessions: async (_, { actor }) => {
    await personal.endOtherSessions(actor);
    return null;
  },
});
