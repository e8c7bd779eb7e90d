import type { SyntheticEvent } from 'react';
import { updateSetting } from '#contract/api/people/personal.ts';
import { Button } from '../../../kit/button.tsx';
import { useLeaveGuard } from '../../../kit/dialogs/use-leave-guard.ts';
import { FieldFrame } from '../../../kit/fields/field.tsx';
import { QuotaField } from '../../../kit/fields/quota-field.tsx';
import { SwitchField } from '../../../kit/fields/switch-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { refusalOf } from '../../../lib/server/refusal-of.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { Panel } from './panel.tsx';
import { savedSetting } from './saved-setting.ts';
import { bodyOf, useNoticeForm } from './use-notice-form.ts';
import { SELF, type Self } from './use-self.ts';

/** In units. Source: specification, constants; it calls the third one five dollars, but it is two. */
const PRESETS = [100_000, 500_000, 1_000_000, 5_000_000];

const FIELDS = ['webhook_url', 'webhook_secret', 'notification_email', 'quota_warning_threshold'];

const isOwnTab = (search: object): boolean => !('tab' in search) || search.tab === 'personal';

/** When and how the user is warned of a low balance. */
export const NotifyPanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const before = savedSetting(self.setting);
  const { form, change, isDirty, saved } = useNoticeForm(before);
  const { secret, isForgotten } = form;
  useLeaveGuard(isDirty, (current, next) => current.pathname === next.pathname && isOwnTab(next.search));
  const save = useAction({
    run: () => call(updateSetting, { body: bodyOf(form) }),
    done: t('notify.done'),
    refresh: [SELF],
    quiet: true,
  });
  const refusal = refusalOf(save.error, FIELDS);
  const url = form.webhook_url.trim();
  const isBadUrl = url !== '' && !url.toLowerCase().startsWith('https://');
  const isMoved = form.notify_type === 'webhook' && url !== before.webhook_url && url !== '';
  const isAsked = isMoved && before.has_webhook_secret && secret === '' && !isForgotten;
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isBadUrl && !isAsked) save.mutate(undefined, { onSuccess: () => saved(form) });
  };
  return (
    <Panel title={t('notify.title')} about={t('notify.about')}>
      <form className="personal-form" noValidate onSubmit={send}>
        {refusal.above !== undefined && <Notice tone="bad">{refusal.above}</Notice>}
        <Segmented
          label={t('notify.type')}
          value={form.notify_type}
          onChange={(notify_type) => change({ notify_type })}
          options={[
            { value: 'email', label: t('notify.email') },
            { value: 'webhook', label: t('notify.webhook') },
          ]}
        />
        <FieldFrame
          id="notify-language"
          field={{ label: t('notify.language'), hint: t('notify.languageHint') }}
        >
          <Segmented
            label={t('notify.language')}
            value={form.language}
            onChange={(language) => change({ language })}
            options={[
              { value: '', label: t('notify.languageOf.site') },
              { value: 'zh', label: t('notify.languageOf.zh') },
              { value: 'en', label: t('notify.languageOf.en') },
            ]}
          />
        </FieldFrame>
        <QuotaField
          label={t('notify.threshold')}
          hint={t('notify.thresholdHint')}
          presets={PRESETS}
          value={form.quota_warning_threshold}
          error={refusal.at('quota_warning_threshold')}
          onChange={(quota_warning_threshold) => change({ quota_warning_threshold })}
        />
        {form.notify_type === 'email' ? (
          <TextField
            label={t('notify.address')}
            hint={t('notify.addressHint')}
            type="email"
            placeholder={self.email}
            value={form.notification_email}
            error={refusal.at('notification_email')}
            onChange={(notification_email) => change({ notification_email })}
          />
        ) : (
          <>
            <TextField
              label={t('notify.url')}
              hint={t('notify.urlHint')}
              error={isBadUrl ? t('notify.https') : refusal.at('webhook_url')}
              type="url"
              placeholder="https://"
              mono
              value={form.webhook_url}
              onChange={(webhook_url) => change({ webhook_url })}
            />
            <TextField
              label={t('notify.secret')}
              hint={before.has_webhook_secret ? t('notify.secretKept') : t('notify.secretHint')}
              type="password"
              autoComplete="new-password"
              value={secret}
              error={isAsked ? t('notify.secretAgain') : refusal.at('webhook_secret')}
              disabled={isForgotten}
              onChange={(text) => change({ secret: text })}
            />
            {before.has_webhook_secret && (
              <SwitchField
                label={t('notify.secretForget')}
                checked={isForgotten}
                onChange={(isOn) => change({ isForgotten: isOn })}
              />
            )}
          </>
        )}
        <div className="personal-actions">
          <Button type="submit" variant="primary" busy={save.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Panel>
  );
};
