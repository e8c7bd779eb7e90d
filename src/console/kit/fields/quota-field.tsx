import { useTranslation } from '../../lib/text/i18n.ts';
import { QUOTA_PER_UNIT } from '#contract/limits.ts';
import { formatRoundQuota } from '../../lib/text/format.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { NumberField } from './number-field.tsx';
import type { FieldProps } from './field.tsx';

interface QuotaFieldProps extends FieldProps {
  /** Quota units; undefined while the field is empty. */
  readonly value?: number | undefined;
  readonly onChange: (units: number | undefined) => void;
  /** Offered under the field, in units or in dollars. */
  readonly presets?: readonly number[];
  readonly dollarPresets?: readonly number[];
}

/** A quota, in money and in units side by side: whichever is typed, the other follows. */
export const QuotaField = ({
  value,
  onChange,
  presets = [],
  dollarPresets = [],
  hint,
  ...field
}: QuotaFieldProps) => {
  const { t } = useTranslation();
  const perDollar = useSiteStatus()?.quota_per_unit ?? QUOTA_PER_UNIT;
  const offered = [...presets, ...dollarPresets.map((one) => one * perDollar)];
  const dollars = value === undefined ? undefined : Number((value / perDollar).toFixed(6));
  return (
    <div className="field">
      <div className="field-pair">
        <NumberField
          label={t('field.amount', { label: field.label })}
          required={field.required ?? false}
          disabled={field.disabled ?? false}
          min={0}
          step="any"
          unit="USD"
          value={dollars}
          onChange={(next) => onChange(next === undefined ? undefined : Math.round(next * perDollar))}
        />
        <NumberField {...field} value={value} onChange={onChange} min={0} unit={t('field.units')} />
      </div>
      {hint !== undefined && <p className="field-hint">{hint}</p>}
      {offered.length > 0 && (
        <div className="presets">
          {offered.map((units) => (
            <button
              key={units}
              type="button"
              className="preset number"
              disabled={field.disabled}
              aria-pressed={value === units}
              onClick={() => onChange(units)}
            >
              {formatRoundQuota(units, { quota_per_unit: perDollar, display_in_currency: true })}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
