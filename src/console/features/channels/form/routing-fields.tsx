import { Suspense } from 'react';
import { lateSection } from '../../../kit/late-section.tsx';
import { useTranslation, withTexts } from '../../../lib/text/i18n.ts';
import { CHANNEL_PRIORITY_MAX, CHANNEL_PRIORITY_MIN, CHANNEL_WEIGHT_MAX } from '#contract/limits.ts';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { SwitchField } from '../../../kit/fields/switch-field.tsx';
import { TextField } from '../../../kit/fields/text-field.tsx';
import { FoldedSection } from '../../../kit/folded-section.tsx';
import type { ChannelFieldsProps } from './channel-fields.ts';

const CapacityFields = lateSection(withTexts('channel-routing', () => import('./capacity-fields.tsx')));

/** Priority, weight, limits, and automatic disabling. */
export const RoutingFields = ({ form }: ChannelFieldsProps) => {
  const { t } = useTranslation('channel-more');
  return (
    <>
      <div className="field-pair">
        <NumberField
          label={t('form.priority')}
          hint={t('form.priorityHint')}
          min={CHANNEL_PRIORITY_MIN}
          max={CHANNEL_PRIORITY_MAX}
          {...form.getInputProps('priority')}
        />
        <NumberField
          label={t('form.weight')}
          hint={t('form.weightHint')}
          min={0}
          max={CHANNEL_WEIGHT_MAX}
          {...form.getInputProps('weight')}
        />
      </div>
      <TextField
        label={t('form.tag')}
        hint={t('form.tagHint')}
        maxLength={100}
        {...form.getInputProps('tag')}
      />
      <SwitchField
        label={t('form.autoBan')}
        hint={t('form.autoBanHint')}
        {...form.getInputProps('auto_ban', { type: 'checkbox' })}
      />
      <FoldedSection title={t('form.limits')} about={t('form.limitsAbout')}>
        <Suspense>
          <CapacityFields form={form} />
        </Suspense>
      </FoldedSection>
    </>
  );
};
