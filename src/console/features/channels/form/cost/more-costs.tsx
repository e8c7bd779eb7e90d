import { useState } from 'react';
import { modelDimensions } from '#contract/options/price-dimensions.ts';
import { NumberField } from '../../../../kit/fields/number-field.tsx';
import { Notice } from '../../../../kit/states.tsx';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import { HoursFields, StepFields, TierFields } from '../../../../shared/price-form/dimension-fields.tsx';
import { MediaFields } from '../../../../shared/price-form/media-fields.tsx';
import {
  dimensionsOf,
  draftOf,
  type PriceDraft,
  wrongFields,
} from '../../../../shared/price-form/price-draft.ts';
import { type CostRow, FURTHER_PRICES, numberOf } from './channel-cost.ts';
import type { Fields } from '../setting-fields.ts';

interface MoreCostsProps {
  readonly row: CostRow;
  readonly onChange: (others: Fields) => void;
}

/** Prices of tokens that few models have, and what all prices of the model depend on. */
const MoreCosts = ({ row, onChange }: MoreCostsProps) => {
  const { t } = useTranslation('channel-more');
  const { call, others } = row;
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...rest } = others;
    onChange(value === undefined ? rest : { ...rest, [name]: value });
  };
  return (
    <>
      {call === undefined && (
        <div className="cost-further">
          {FURTHER_PRICES.map((name) => (
            <NumberField
              key={name}
              label={t(`cost.price.${name}`)}
              min={0}
              step="any"
              value={numberOf(others[name])}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
      )}
      <Conditions
        from={others['dimensions']}
        isByCall={call !== undefined}
        onChange={(dimensions) => set('dimensions', dimensions)}
      />
    </>
  );
};

interface ConditionsProps {
  readonly from: unknown;
  readonly isByCall: boolean;
  readonly onChange: (dimensions: Fields | undefined) => void;
}

const Conditions = ({ from, isByCall, onChange }: ConditionsProps) => {
  const { t } = useTranslation('channel-more');
  const [draft, setDraft] = useState<PriceDraft | undefined>(() => {
    const read = modelDimensions.safeParse(from ?? {});
    return read.success ? draftOf(read.data) : undefined;
  });
  if (draft === undefined) return <Notice tone="warn">{t('cost.moreWrong')}</Notice>;
  const props = {
    draft,
    wrong: wrongFields(draft),
    onEdit: (change: Partial<PriceDraft>) => {
      const next = { ...draft, ...change };
      setDraft(next);
      const value = dimensionsOf(next);
      onChange(Object.keys(value).length === 0 ? undefined : value);
    },
  };
  return (
    <div className="price-form-fields">
      <StepFields {...props} />
      <TierFields {...props} />
      <HoursFields {...props} />
      {isByCall && <MediaFields {...props} />}
    </div>
  );
};

export default MoreCosts;
