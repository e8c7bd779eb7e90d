import type { Fields } from '#contract/json-text.ts';
import { NumberField } from '../../../../kit/fields/number-field.tsx';
import { Notice } from '../../../../kit/states.tsx';
import { useTranslation } from '../../../../lib/text/i18n.ts';
import { DimensionForm } from '../../../../shared/price-form/dimension-form.tsx';
import { type CostRow, FURTHER_PRICES, numberOf } from './channel-cost.ts';

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
      <DimensionForm
        from={others['dimensions']}
        unreadable={<Notice tone="warn">{t('cost.moreWrong')}</Notice>}
        hasMedia={call !== undefined}
        onChange={(dimensions) => set('dimensions', dimensions)}
      />
    </>
  );
};

export default MoreCosts;
