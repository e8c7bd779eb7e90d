import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '../../../../kit/button.tsx';
import { TagsField } from '../../../../kit/fields/list-field.tsx';
import { NumberField } from '../../../../kit/fields/number-field.tsx';
import { SelectField } from '../../../../kit/fields/select-field.tsx';
import { TextField } from '../../../../kit/fields/text-field.tsx';
import { ProgressText } from '../../../../kit/texts/progress-text.tsx';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import {
  ALLOWANCE_OWNERS,
  ALLOWANCE_UNITS,
  type AllowanceProblems,
  type AllowanceRow,
  type FreeToday,
  givenToday,
} from './allowance-rows.ts';
import { amountText } from './channel-cost.ts';

interface AllowanceProps {
  readonly row: AllowanceRow;
  readonly problems: AllowanceProblems;
  /** Whether saving was refused for what is wrong here. */
  readonly isRefused: boolean;
  readonly today: FreeToday | undefined;
  readonly onChange: (changes: Partial<AllowanceRow>) => void;
  readonly onRemove: () => void;
}

const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC');

/** What the upstream gives away each day, and what it has given today. */
export const AllowanceFields = (props: AllowanceProps) => {
  const { row, problems, isRefused, today, onChange, onRemove } = props;
  const { t } = useTranslation('channel-more');
  // Nothing is called wrong before there was time to enter it.
  const [wasLeft, setLeft] = useState(false);
  const errorOf = (field: keyof AllowanceProblems): string | undefined => {
    const problem = isRefused || wasLeft ? problems[field] : undefined;
    return problem && t(`allowance.wrong.${problem}`);
  };
  const { name, models, of, amount, zone, by } = row;
  const saved = givenToday(row, today);
  const said =
    saved && t(`allowance.given.${of}`, { given: amountText(saved.given), amount: amountText(saved.amount) });
  const isKnown = zone === '' || zones.includes(zone);
  return (
    <fieldset
      className="cost-row"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setLeft(true);
      }}
    >
      <legend className="hidden-visually">{name || t('allowance.title')}</legend>
      <TextField
        label={t('allowance.name')}
        hint={t('allowance.nameHint')}
        error={errorOf('name')}
        maxLength={64}
        required
        value={name}
        onChange={(text) => onChange({ name: text })}
      />
      <TagsField
        label={t('allowance.models')}
        hint={t('allowance.modelsHint')}
        error={errorOf('models')}
        required
        max={200}
        choices={[]}
        value={models}
        onChange={(next) => onChange({ models: next })}
      />
      <div className="allowance-parts">
        <NumberField
          label={t('allowance.amount')}
          error={errorOf('amount')}
          required
          min={of === 'dollars' ? 0.01 : 1}
          step={of === 'dollars' ? 'any' : 1}
          value={amount}
          onChange={(value) => onChange({ amount: value })}
        />
        <SelectField
          label={t('allowance.of')}
          value={of}
          choices={ALLOWANCE_UNITS.map((unit) => ({ value: unit, label: t(`allowance.unit.${unit}`) }))}
          onChange={(next) => onChange({ of: ALLOWANCE_UNITS.find((unit) => unit === next) ?? of })}
        />
        <SelectField
          label={t('allowance.zone')}
          placeholder="UTC"
          clearable
          searchable
          value={zone}
          choices={(isKnown ? zones : [zone, ...zones]).map((one) => ({ value: one, label: one }))}
          onChange={(next) => onChange({ zone: next })}
        />
        <SelectField
          label={t('allowance.by')}
          value={by}
          choices={ALLOWANCE_OWNERS.map((owner) => ({ value: owner, label: t(`allowance.owner.${owner}`) }))}
          onChange={(next) => onChange({ by: ALLOWANCE_OWNERS.find((owner) => owner === next) ?? by })}
        />
      </div>
      <div className="allowance-foot" aria-live="polite">
        {saved !== undefined && said !== undefined && (
          <>
            <ProgressText percent={`${Math.floor((100 * saved.given) / saved.amount)}%`} label={said} />
            <span className="meta">{said}</span>
          </>
        )}
        <IconButton label={t('allowance.remove', { name })} onClick={onRemove}>
          <IconTrash size={16} />
        </IconButton>
      </div>
    </fieldset>
  );
};
