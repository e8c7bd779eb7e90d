import { useState, type SyntheticEvent } from 'react';
import { updateSetting } from '#contract/api/people/personal.ts';
import { Button } from '../../../kit/button.tsx';
import { FieldFrame } from '../../../kit/fields/field.tsx';
import { QuotaField } from '../../../kit/fields/quota-field.tsx';
import { SwitchField } from '../../../kit/fields/switch-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { messageOf } from '../../../lib/server/api-error.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { Panel } from './panel.tsx';
import { DEFAULT_THRESHOLD, savedSetting } from './saved-setting.ts';
import { SELF, type Self } from './use-self.ts';

/** In units. Source: specification, constants; it calls the third one five dollars, but it is two. */
const PRESETS = [100_000, 500_000, 1_000_000, 5_000_000];
/** When and how the user is warned of a low balance. */
export const NotifyPanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const before = savedSetting(self.setting);
  const [type, setType] = useState(before.notify_type);
  const [threshold, setThreshold] = useState<number | undefined>(before.quota_warning_threshold);
  const [email, setEmail] = useState(before.notification_email);
  const [url, setUrl] = useState(before.webhook_url);
  const [language, setLanguage] = useState(before.language);
  const [secret, setSecret] = useState('');
  const [isForgotten, setForgotten] = useState(false);
  const save = useAction({
    run: () =>
      call(updateSetting, {
        body: {
          notify_type: type,
          quota_warning_threshold: threshold ?? DEFAULT_THRESHOLD,
          webhook_url: url.trim(),
          webhook_secret: isForgotten ? '' : secret,
          ...(isForgotten ? { forget_webhook_secret: true } : {}),
          notification_email: email.trim(),
          language,
        },
      }),
    done: t('notify.done'),
    refresh: [SELF],
    quiet: true,
  });
  const isBadUrl = url.trim() !== '' && !url.trim().toLowerCase().startsWith('https://');
  const isMoved = type === 'webhook' && url.trim() !== before.webhook_url && url.trim() !== '';
  const isAsked = isMoved && before.has_webhook_secret && secret === '' && !isForgotten;
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isBadUrl && !isAsked) save.mutate();
  };
  return (
    <Panel title={t('notify.title')} about={t('notify.about')}>
      <form className="personal-form" noValidate onSubmit={send}>
        {save.isError && <Notice tone="bad">{messageOf(save.error)}</Notice>}
        <Segmented
          label={t('notify.type')}
          value={type}
          onChange={setType}
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
            value={language}
            onChange={setLanguage}
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
          value={threshold}
          onChange={setThreshold}
        />
        {type === 'email' ? (
          <TextField
            label={t('notify.address')}
            hint={t('notify.addressHint')}
            type="email"
            placeholder={self.email}
            value={email}
            onChange={setEmail}
          />
        ) : (
          <>
            <TextField
              label={t('notify.url')}
              hint={t('notify.urlHint')}
              error={isBadUrl ? t('notify.https') : undefined}
              type="url"
              placeholder="https://"
              mono
              value={url}
              onChange={setUrl}
            />
            <TextField
              label={t('notify.secret')}
              hint={before.has_webhook_secret ? t('notify.secretKept') : t('notify.secretHint')}
              type="password"
              autoComplete="new-password"
              value={secret}
              error={isAsked ? t('notify.secretAgain') : undefined}
              disabled={isForgotten}
              onChange={setSecret}
            />
            {before.has_webhook_secret && (
              <SwitchField label={t('notify.secretForget')} checked={isForgotten} onChange={setForgotten} />
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
