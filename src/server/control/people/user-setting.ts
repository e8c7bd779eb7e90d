import { z } from 'zod';
import { type Language, languages } from '#contract/messages.ts';
import { parsed } from '#contract/json-text.ts';
import { ownChoicesAtFirst } from '#core/user/own-choices.ts';
import { WEBHOOK_SECRET, webhookPlace } from '#core/secrets/sealed-places.ts';
import type { Vault } from '#core/secrets/vault.ts';

/** How a user is notified, and other personal settings. */
export interface UserSetting {
  readonly notifyType: 'email' | 'webhook';
  /** Undefined if never set; then the site's `QuotaRemindThreshold` applies. */
  readonly warningUnits: number | undefined;
  readonly webhookUrl: string;
  /** Empty for none. */
  readonly webhookSecret: string;
  /** Empty for the account's own address. */
  readonly notificationEmail: string;
  /** The language of notices; undefined for the site's. */
  readonly language: Language | undefined;
  /** Whether log rows store the caller's address. */
  readonly recordsIp: boolean;
  /** Whether models without a price may be called, at self-use mode's ratio. */
  readonly acceptsUnpriced: boolean;
}

const stored = z.object({
  notify_type: z.enum(['email', 'webhook']).catch('email'),
  quota_warning_threshold: z.number().optional().catch(undefined),
  webhook_url: z.string().catch(''),
  [WEBHOOK_SECRET]: z.string().catch(''),
  notification_email: z.string().catch(''),
  language: z.enum(languages).optional().catch(undefined),
  record_ip_log: z.boolean().catch(ownChoicesAtFirst.recordsIp),
  accept_unset_model_ratio_model: z.boolean().catch(ownChoicesAtFirst.acceptsUnpriced),
});

type Owner = { readonly id: number; readonly setting: string };

/** Parses the stored settings and decrypts the webhook's secret; missing or invalid fields get their defaults. */
export const readUserSetting = (owner: Owner, vault: Pick<Vault, 'decrypt'>): UserSetting => {
  const read = stored.parse(parsed(owner.setting) ?? {});
  const sealed = read[WEBHOOK_SECRET];
  return {
    notifyType: read.notify_type,
    warningUnits: read.quota_warning_threshold,
    webhookUrl: read.webhook_url,
    webhookSecret: sealed === '' ? '' : vault.decrypt(sealed, webhookPlace(owner.id)),
    notificationEmail: read.notification_email,
    language: read.language,
    recordsIp: read.record_ip_log,
    acceptsUnpriced: read.accept_unset_model_ratio_model,
  };
};

/** The text to store, with the webhook's secret encrypted for this user. */
export const userSettingText = (
  userId: number,
  setting: UserSetting,
  vault: Pick<Vault, 'encrypt'>,
): string =>
  JSON.stringify({
    notify_type: setting.notifyType,
    quota_warning_threshold: setting.warningUnits,
    webhook_url: setting.webhookUrl,
    [WEBHOOK_SECRET]:
      setting.webhookSecret === '' ? '' : vault.encrypt(setting.webhookSecret, webhookPlace(userId)),
    notification_email: setting.notificationEmail,
    language: setting.language,
    record_ip_log: setting.recordsIp,
    accept_unset_model_ratio_model: setting.acceptsUnpriced,
  });

/**
 * The settings as shown to their owner: in place of the secret, whether there is one. Empty while nothing was ever saved, so
 * that a form knows a choice from a default.
 */
export const shownSetting = (owner: Owner): string => {
  if (owner.setting === '') return '';
  const { [WEBHOOK_SECRET]: sealed, ...shown } = stored.parse(parsed(owner.setting) ?? {});
  return JSON.stringify({ ...shown, webhook_secret: '', has_webhook_secret: sealed !== '' });
};
