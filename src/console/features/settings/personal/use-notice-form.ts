import { useState } from 'react';
import { DEFAULT_THRESHOLD, type SavedSetting } from './saved-setting.ts';

type Stored = Pick<SavedSetting, 'notify_type' | 'webhook_url' | 'notification_email' | 'language'>;

/** What the form of notices shows. */
export interface NoticeForm extends Stored {
  /** Undefined while the field is empty. */
  readonly quota_warning_threshold: number | undefined;
  /** A new one; the stored one is never shown. */
  readonly secret: string;
  /** The stored secret is to be deleted. */
  readonly isForgotten: boolean;
}

type Draft = { readonly [Name in keyof NoticeForm]?: NoticeForm[Name] | undefined };

/** The body of the call that saves it. */
export const bodyOf = ({ secret, isForgotten, ...form }: NoticeForm) => ({
  notify_type: form.notify_type,
  quota_warning_threshold: form.quota_warning_threshold ?? DEFAULT_THRESHOLD,
  webhook_url: form.webhook_url.trim(),
  webhook_secret: isForgotten ? '' : secret,
  ...(isForgotten ? { forget_webhook_secret: true } : {}),
  notification_email: form.notification_email.trim(),
  language: form.language,
});

/** The stored settings with what was typed over them, which lasts when they are read again: other panels change them, too. */
export const useNoticeForm = (before: SavedSetting) => {
  const [draft, setDraft] = useState<Draft>({});
  const stored: NoticeForm = { ...before, secret: '', isForgotten: false };
  const form = { ...stored, ...draft } as NoticeForm;
  const names = Object.keys(draft) as (keyof NoticeForm)[];
  return {
    form,
    change: (values: Draft): void => setDraft((now) => ({ ...now, ...values })),
    isDirty: names.some((name) => draft[name] !== stored[name]),
    /** After saving. What was typed meanwhile stays. */
    saved: (sent: NoticeForm): void =>
      setDraft((now) => {
        const newer = Object.entries(now).filter(([name, value]) => value !== sent[name as keyof NoticeForm]);
        return Object.fromEntries(newer) as Draft;
      }),
  };
};
