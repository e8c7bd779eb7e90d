import { CHANNEL_CAPACITY } from '#contract/limits.ts';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { Notice } from '../../../kit/states.tsx';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { type CapacityName, isCapacity, readCapacity, withCapacity } from './channel-capacity.ts';
import type { ChannelFieldsProps } from './channel-fields.ts';

const SECOND_MS = 1000;
const PAIRS = [
  ['calls_per_minute', 'tokens_per_minute'],
  ['concurrent_calls', 'calls_per_day'],
  ['queue_calls', 'queue_wait_ms'],
] as const;

/** Limits of the channel, and how many calls wait for it; stored in the JSON of the settings. */
const CapacityFields = ({ form }: Pick<ChannelFieldsProps, 'form'>) => {
  const { t } = useTranslation('channel-routing');
  const { setting } = form.values;
  const limits = readCapacity(setting);
  if (limits === undefined) return <Notice tone="warn">{t('capacity.broken')}</Notice>;
  const field = (name: CapacityName) => {
    // Waiting is entered in seconds with decimals, and stored in milliseconds.
    const isTime = name === 'queue_wait_ms';
    const unit = isTime ? SECOND_MS : 1;
    const { min, max } = CHANNEL_CAPACITY[name];
    const value = limits[name];
    const range = { min: min / unit, max: max / unit };
    return (
      <NumberField
        key={name}
        label={t(`capacity.${name}`)}
        hint={t(`capacity.hint.${name}`)}
        placeholder={t(`capacity.empty.${name}`)}
        step={isTime ? 'any' : 1}
        {...range}
        value={value === undefined ? undefined : value / unit}
        error={
          isCapacity(name, value)
            ? undefined
            : t('capacity.wrong', { min: String(range.min), max: range.max.toLocaleString('en') })
        }
        onChange={(typed) => {
          const next = typed !== undefined && isTime ? Math.round(typed * unit) : typed;
          form.setFieldValue('setting', withCapacity(setting, { ...limits, [name]: next }));
        }}
      />
    );
  };
  return (
    <>
      {PAIRS.map((names) => (
        <div key={names[0]} className="field-pair">
          {names.map(field)}
        </div>
      ))}
    </>
  );
};

export default CapacityFields;
