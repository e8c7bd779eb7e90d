import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

interface AmountFieldsProps {
  readonly units: number | undefined;
  readonly onChange: (units: number | undefined) => void;
}

/** An amount of quota to give or, below zero, to take: in dollars and in units, each follows the other. */
export const AmountFields = ({ units, onChange }: AmountFieldsProps) => {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const perDollar = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  return (
    <>
      <div className="field-pair">
        <NumberField
          label={t('quota.money')}
          unit="USD"
          step="any"
          autoFocus
          value={units === undefined ? undefined : Number((units / perDollar).toFixed(6))}
          onChange={(next) => onChange(next === undefined ? undefined : Math.round(next * perDollar))}
        />
        <NumberField
          label={t('quota.units')}
          unit={common('field.units')}
          value={units}
          onChange={onChange}
        />
      </div>
      <p className="field-hint">{t('quota.hint')}</p>
    </>
  );
};

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The reason, which is recorded with the account's movements. */
export const ReasonField = ({ value, onChange }: ReasonFieldProps) => {
  const { t } = useTranslation('users');
  return (
    <TextField
      label={t('quota.reason')}
      placeholder={t('quota.reasonHint')}
      maxLength={200}
      value={value}
      onChange={onChange}
    />
  );
};
