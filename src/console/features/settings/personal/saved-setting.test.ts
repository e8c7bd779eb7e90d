import { expect, it } from 'vitest';
import { savedSetting } from './saved-setting.ts';

const NOTHING = {
  notify_type: 'email',
  quota_warning_threshold: 100_000,
  webhook_url: '',
  notification_email: '',
  language: '',
  has_webhook_secret: false,
  record_ip_log: true,
  accept_unset_model_ratio_model: false,
};

it.each(['', 'null', '7', '"text"', '{'])('of a user without settings (%s) has the defaults', (json) =>
  expect(savedSetting(json)).toEqual(NOTHING),
);

it('has the stored values', () => {
  const chosen = {
    notify_type: 'webhook',
    quota_warning_threshold: 7,
    webhook_url: 'https://example.com',
    notification_email: 'a@example.com',
    language: 'en',
    has_webhook_secret: true,
    record_ip_log: false,
    accept_unset_model_ratio_model: true,
  };
  expect(savedSetting(JSON.stringify(chosen))).toEqual(chosen);
});

it('counts a value of the wrong type as not set', () => {
  const odd = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, ['odd']]));
  expect(savedSetting(JSON.stringify(odd))).toEqual({ ...NOTHING, quota_warning_threshold: 500_000 });
});
