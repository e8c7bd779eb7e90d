import { QuotaField } from '../../kit/fields/quota-field.tsx';
import { SwitchField } from '../../kit/fields/switch-field.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import type { TokenFieldsProps } from './token-fields.ts';

/** 1, 10, 50, 100, 500, 1000 dollars. Source: specification, constants. */
const PRESETS = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000];

/** How much a token may spend. */
export const QuotaFields = ({ form }: TokenFieldsProps) => {
  const { t } = useTranslation('tokens');
  return (
    <>
      <SwitchField
        label={t('form.unlimited')}
        hint={t('form.unlimitedHint')}
        {...form.getInputProps('unlimited', { type: 'checkbox' })}
      />
      <QuotaField
        label={t('form.quota')}
        hint={t('form.quotaHint')}
        required={!form.values.unlimited}
        disabled={form.values.unlimited}
        presets={PRESETS}
        {...form.getInputProps('quota')}
      />
    </>
  );
};
