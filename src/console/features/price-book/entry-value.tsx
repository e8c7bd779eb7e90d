import { useState } from 'react';
import type { PriceOption } from '#contract/price-book.ts';
import { NumberField } from '../../kit/fields/number-field.tsx';
import { TextField } from '../../kit/fields/text-field.tsx';
import { Notice } from '../../kit/states.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { DimensionForm } from '../../shared/price-form/dimension-form.tsx';
import { PriceRows } from '../../shared/price-form/price-rows.tsx';
import { isOfModels, type RatioRow, ratioRows, ratiosOf, type Value } from './price-changes.ts';

interface ValueProps {
  /** The current value, or the one in the draft. */
  readonly from: Value;
  /** Undefined while it is invalid. */
  readonly onChange: (value: Value | undefined) => void;
}

/** The fields for a new value, by the kind of the option's values. */
export const EntryValue = ({ option, ...props }: ValueProps & { readonly option: PriceOption }) => {
  switch (option) {
    case 'PriceDimensions':
      return <DimensionValue {...props} />;
    case 'GroupGroupRatio':
      return <RatiosValue {...props} />;
    default:
      return <NumberValue option={option} {...props} />;
  }
};

const NumberValue = ({ option, from, onChange }: ValueProps & { readonly option: PriceOption }) => {
  const { t } = useTranslation('price-book');
  const [value, setValue] = useState<number>();
  const isWrong = value !== undefined && value < 0;
  return (
    <NumberField
      label={t('add.value')}
      value={value}
      min={0}
      step="any"
      unit={option === 'ModelPrice' ? '$' : undefined}
      hint={
        typeof from === 'number'
          ? t('add.now', { value: from })
          : t(isOfModels(option) ? 'add.notSetListed' : 'add.notSet')
      }
      error={isWrong ? t('add.wrong') : undefined}
      onChange={(next) => {
        setValue(next);
        onChange(next !== undefined && next >= 0 ? next : undefined);
      }}
    />
  );
};

const DimensionValue = ({ from, onChange }: ValueProps) => {
  const { t } = useTranslation('price-form');
  return (
    <DimensionForm
      from={from}
      unreadable={<Notice tone="bad">{t('notReadable')}</Notice>}
      hasMedia
      onChange={(value, isWrong) => onChange(isWrong ? undefined : (value ?? null))}
    />
  );
};

/** The ratios that accounts of one group pay when they use other groups. */
const RatiosValue = ({ from, onChange }: ValueProps) => {
  const { t } = useTranslation('price-book');
  const [rows, setRows] = useState(() => ratioRows(from));
  return (
    <PriceRows<RatioRow>
      title={t('add.ratios')}
      about={t('add.ratiosAbout')}
      rows={rows}
      fresh={{ group: '', ratio: undefined }}
      onChange={(next) => {
        setRows(next);
        onChange(ratiosOf(next));
      }}
    >
      {(row, _, edit) => (
        <>
          <TextField label={t('add.group')} value={row.group} onChange={(group) => edit({ group })} />
          <NumberField
            label={t('add.ratio')}
            value={row.ratio}
            min={0}
            step="any"
            unit="×"
            onChange={(ratio) => edit({ ratio })}
          />
        </>
      )}
    </PriceRows>
  );
};
