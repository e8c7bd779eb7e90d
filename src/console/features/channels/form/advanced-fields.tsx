import { Suspense } from 'react';
import { lateSection } from '../../../kit/late-section.tsx';
import { useTranslation, withTexts } from '../../../lib/text/i18n.ts';
import { JsonField } from '../../../kit/fields/json-field.tsx';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { FoldedSection } from '../../../kit/folded-section.tsx';
import type { FoldedFieldsProps } from './channel-fields.ts';
import { advancedFields } from './validate-channel.ts';

const settingExample = JSON.stringify({ first_byte_timeout_ms: 60_000, idle_timeout_ms: 120_000 }, null, 2);

const RequestFields = lateSection(withTexts('channel-routing', () => import('./pairs/request-fields.tsx')));
const OverrideFields = lateSection(withTexts('channel-routing', () => import('./override-fields.tsx')));
const PreviewPanel = lateSection(withTexts('channel-routing', () => import('./preview-panel.tsx')));

/** Settings that few channels need. */
export const AdvancedFields = ({ form, before, onFocus }: FoldedFieldsProps) => {
  const { t } = useTranslation('channel-more');
  const isWrong = advancedFields.some((field) => form.errors[field] !== undefined);
  return (
    <FoldedSection
      title={t('form.section.advanced')}
      about={t('form.advancedAbout')}
      isForcedOpen={isWrong}
      onFocus={onFocus}
    >
      <Suspense>
        <RequestFields form={form} />
      </Suspense>
      <FoldedSection title={t('form.rules')} about={t('form.rulesAbout')}>
        <Suspense>
          <OverrideFields form={form} />
        </Suspense>
      </FoldedSection>
      <TextField
        label={t('form.proxy')}
        hint={t('form.proxyHint')}
        placeholder="socks5://user:password@proxy.example:1080"
        mono
        {...form.getInputProps('proxy')}
      />
      <JsonField
        label={t('form.setting')}
        hint={t('form.settingHint')}
        placeholder={settingExample}
        example={settingExample}
        {...form.getInputProps('setting')}
      />
      <NumberField
        label={t('form.maxInput')}
        hint={t('form.maxInputHint')}
        min={0}
        {...form.getInputProps('max_input_tokens')}
      />
      <FoldedSection title={t('form.preview')} about={t('form.previewAbout')}>
        <Suspense>
          <PreviewPanel form={form} before={before} />
        </Suspense>
      </FoldedSection>
    </FoldedSection>
  );
};
