import { DOLLAR_PICKS } from '../../kit/fields/dollar-picks.ts';
import { QuotaField } from '../../kit/fields/quota-field.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { TokenFieldsProps } from './token-fields.ts';

/** How much a token may spend. */
export const QuotaFields = ({ form }: TokenFieldsProps) => {
  const { t } = useTranslation('tokens');
  return (
    <>
      <SwitchField
        label={t('form.unlimited')}
        hint={t('form.unlimitedHint')}
        {...form.getInputProps('unlimited_quota', { type: 'checkbox' })}
      />
      <QuotaField
        label={t('form.quota')}
        hint={t('form.quotaHint')}
        required={!form.values.unlimited_quota}
        disabled={form.values.unlimited_quota}
        dollarPresets={DOLLAR_PICKS}
        {...form.getInputProps('remain_quota')}
      />
    </>
  );
};
