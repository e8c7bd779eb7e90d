import { useId } from 'react';
import { weekdays } from '#contract/options/price-dimensions.ts';
import { controlProps, FieldFrame, type FieldProps } from '../../kit/fields/field.tsx';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { SelectField } from '../../kit/fields/select-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { HoursDraft, PriceDraft } from './price-draft.ts';
import { PriceRows, ShareFields } from './price-rows.tsx';

interface DimensionProps {
  readonly draft: PriceDraft;
  readonly wrong: ReadonlySet<string>;
  readonly onEdit: (change: Partial<PriceDraft>) => void;
}

const wrongIn = (wrong: ReadonlySet<string>, row: string) => (field: string) => wrong.has(`${row}.${field}`);

export const StepFields = ({ draft, wrong, onEdit }: DimensionProps) => {
  const { t } = useTranslation('price-form');
  return (
    <>
      <PriceRows
        title={t('steps.title')}
        about={t('steps.about')}
        rows={draft.steps}
        fresh={{ bound: 'above', tokens: undefined, shares: {} }}
        onChange={(steps) => onEdit({ steps })}
      >
        {(step, at, edit) => {
          const isWrong = wrongIn(wrong, `steps.${String(at)}`);
          return (
            <>
              <SelectField
                label={t('steps.bound')}
                value={step.bound}
                choices={(['above', 'from'] as const).map((value) => ({ value, label: t(`steps.${value}`) }))}
                onChange={(bound) => edit({ bound: bound === 'from' ? 'from' : 'above' })}
              />
              <NumberField
                label={t('steps.tokens')}
                value={step.tokens}
                min={0}
                error={isWrong('tokens') ? t('wrong.tokens') : undefined}
                onChange={(tokens) => edit({ tokens })}
              />
              <ShareFields
                shares={step.shares}
                isPromptOnly={draft.charges === 'excess'}
                isWrong={isWrong}
                onChange={(shares) => edit({ shares })}
              />
            </>
          );
        }}
      </PriceRows>
      {draft.steps.length > 0 && (
        <div className="price-context">
          <Segmented
            label={t('charges.label')}
            value={draft.charges}
            options={(['call', 'excess'] as const).map((value) => ({ value, label: t(`charges.${value}`) }))}
            onChange={(charges) => onEdit({ charges })}
          />
          <Segmented
            label={t('counts.label')}
            value={draft.counts}
            options={(['prompt', 'without_cache_reads', 'without_cache'] as const).map((value) => ({
              value,
              label: t(`counts.${value}`),
            }))}
            onChange={(counts) => onEdit({ counts })}
          />
        </div>
      )}
    </>
  );
};

export const TierFields = ({ draft, wrong, onEdit }: DimensionProps) => {
  const { t } = useTranslation('price-form');
  return (
    <PriceRows
      title={t('tiers.title')}
      about={t('tiers.about')}
      rows={draft.tiers}
      fresh={{ name: '', shares: {}, longContext: undefined }}
      onChange={(tiers) => onEdit({ tiers })}
    >
      {(tier, at, edit) => {
        const isWrong = wrongIn(wrong, `tiers.${String(at)}`);
        return (
          <>
            <TextField
              label={t('tiers.name')}
              value={tier.name}
              placeholder="flex"
              error={isWrong('name') ? t('wrong.name') : undefined}
              onChange={(name) => edit({ name })}
            />
            <ShareFields
              hasAll
              shares={tier.shares}
              isWrong={isWrong}
              onChange={(shares) => edit({ shares })}
            />
          </>
        );
      }}
    </PriceRows>
  );
};

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const zones = (): readonly string[] => [
  ...new Set(['UTC', ownZone(), ...Intl.supportedValuesOf('timeZone')]),
];

export const HoursFields = ({ draft, wrong, onEdit }: DimensionProps) => {
  const { t } = useTranslation('price-form');
  return (
    <PriceRows<HoursDraft>
      title={t('hours.title')}
      about={t('hours.about')}
      rows={draft.hours}
      fresh={{ zone: ownZone(), from: '22:00', to: '08:00', days: [], shares: {} }}
      onChange={(hours) => onEdit({ hours })}
    >
      {(hours, at, edit) => {
        const isWrong = wrongIn(wrong, `hours.${String(at)}`);
        const time = (name: 'from' | 'to') => (
          <TimeOfDayField
            label={t(`hours.${name}`)}
            value={hours[name]}
            error={isWrong(name) ? t('wrong.time') : undefined}
            onChange={(value) => edit({ [name]: value })}
          />
        );
        return (
          <>
            <div className="price-times">
              {time('from')}
              {time('to')}
              <SelectField
                label={t('hours.zone')}
                value={hours.zone}
                choices={[...new Set([hours.zone, ...zones()])].map((zone) => ({ value: zone, label: zone }))}
                error={isWrong('zone') ? t('wrong.zone') : undefined}
                onChange={(zone) => edit({ zone })}
              />
            </div>
            <DayPicker days={hours.days} onChange={(days) => edit({ days })} />
            <ShareFields
              hasAll
              shares={hours.shares}
              isWrong={isWrong}
              onChange={(shares) => edit({ shares })}
            />
          </>
        );
      }}
    </PriceRows>
  );
};

interface TimeOfDayProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const TimeOfDayField = ({ value, onChange, ...field }: TimeOfDayProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} field={field}>
      <input
        {...controlProps(id, field)}
        className="input number"
        type="time"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
};

interface DayPickerProps {
  readonly days: HoursDraft['days'];
  readonly onChange: (days: HoursDraft['days']) => void;
}

/** The weekdays of an hours rule; none selected means every day. */
const DayPicker = ({ days, onChange }: DayPickerProps) => {
  const { t } = useTranslation('price-form');
  return (
    <div className="field price-days" role="group" aria-label={t('hours.days')}>
      <div className="field-label">{t('hours.days')}</div>
      <div className="presets">
        {weekdays.map((day) => (
          <button
            key={day}
            type="button"
            className="preset"
            aria-pressed={days.includes(day)}
            onClick={() =>
              onChange(weekdays.filter((one) => (one === day ? !days.includes(day) : days.includes(one))))
            }
          >
            {t(`day.${day}`)}
          </button>
        ))}
      </div>
    </div>
  );
};
