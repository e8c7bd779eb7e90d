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

it.each(['', 'null', '7', '"text"', '{'])(
  'of a user who has chosen nothing (%s) is what counts then',
  (json) => expect(savedSetting(json)).toEqual(NOTHING),
);

it('is what was chosen', () => {
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

it('counts what is of another kind as not chosen', () => {
  const odd = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, ['odd']]));
  expect(savedSetting(JSON.stringify(odd))).toEqual({ ...NOTHING, quota_warning_threshold: 500_000 });
});
