import { z } from 'zod';
import { type Language, languages } from '#contract/messages.ts';
import { parsed } from '#contract/json-text.ts';
import { ownChoicesAtFirst } from '#core/user/own-choices.ts';
import { WEBHOOK_SECRET } from '#core/secrets/sealed-places.ts';

/** How a user is notified, and other personal settings. */
export interface UserSetting {
  readonly notifyType: 'email' | 'webhook';
  /** Undefined if never set; then the site's `QuotaRemindThreshold` applies. */
  readonly warningUnits: number | undefined;
  readonly webhookUrl: string;
  /** Encrypted for this user; empty for none. */
  readonly sealedWebhookSecret: string;
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

type Owner = { readonly setting: string };

/**
 * Parses the stored settings; missing or invalid fields get their defaults. The webhook's secret stays encrypted until a
 * webhook is called, so that a damaged one does not cost its owner the other settings.
 */
export const readUserSetting = (setting: string): UserSetting => {
  const read = stored.parse(parsed(setting) ?? {});
  return {
    notifyType: read.notify_type,
    warningUnits: read.quota_warning_threshold,
    webhookUrl: read.webhook_url,
    sealedWebhookSecret: read[WEBHOOK_SECRET],
    notificationEmail: read.notification_email,
    language: read.language,
    recordsIp: read.record_ip_log,
    acceptsUnpriced: read.accept_unset_model_ratio_model,
  };
};

/** The text to store. */
export const userSettingText = (setting: UserSetting): string =>
  JSON.stringify({
    notify_type: setting.notifyType,
    quota_warning_threshold: setting.warningUnits,
    webhook_url: setting.webhookUrl,
    [WEBHOOK_SECRET]: setting.sealedWebhookSecret,
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
