import { parsed } from '#contract/json-text.ts';

/** A user's settings, as the panels of this page show them. */
export interface SavedSetting {
  readonly notify_type: 'email' | 'webhook';
  /** In units. */
  readonly quota_warning_threshold: number;
  readonly webhook_url: string;
  readonly notification_email: string;
  /** '' is the language of the site. */
  readonly language: '' | 'zh' | 'en';
  readonly has_webhook_secret: boolean;
  readonly record_ip_log: boolean;
  readonly accept_unset_model_ratio_model: boolean;
}

/** The threshold if none was saved. Source: specification, constants. */
const FIRST_THRESHOLD = 100_000;
export const DEFAULT_THRESHOLD = 500_000;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const oneOf = <Choice extends string>(
  value: unknown,
  choices: readonly Choice[],
  otherwise: Choice,
): Choice => choices.find((choice) => choice === value) ?? otherwise;

/**
 * Reads the settings of a user, which come as JSON text; a missing or invalid field counts as not set. Written by hand, because
 * zod and its messages would be a fifth of the page.
 */
export const savedSetting = (json: string): SavedSetting => {
  const value = parsed(json);
  const isSaved = typeof value === 'object' && value !== null;
  const saved: Readonly<Record<string, unknown>> = isSaved ? { ...value } : {};
  const threshold = saved['quota_warning_threshold'];
  return {
    notify_type: oneOf(saved['notify_type'], ['email', 'webhook'], 'email'),
    quota_warning_threshold:
      typeof threshold === 'number' ? threshold : isSaved ? DEFAULT_THRESHOLD : FIRST_THRESHOLD,
    webhook_url: textOf(saved['webhook_url']),
    notification_email: textOf(saved['notification_email']),
    language: oneOf(saved['language'], ['', 'zh', 'en'], ''),
    has_webhook_secret: saved['has_webhook_secret'] === true,
    record_ip_log: saved['record_ip_log'] !== false,
    accept_unset_model_ratio_model: saved['accept_unset_model_ratio_model'] === true,
  };
};
