import { SmallTable } from '../../kit/tables/small-table.tsx';
import { formatExactPrice } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { GroupPrice, PricedModel } from './priced-model.ts';

interface PriceVariantsProps {
  readonly variants: PricedModel['variants'];
  /** The standard price for the chosen group. */
  readonly price: GroupPrice;
  readonly group: string;
}

const nameKeys = {
  step: 'variant.step',
  excess: 'variant.excess',
  tier: 'variant.tier',
  speed: 'variant.speed',
  place: 'variant.place',
  hours: 'variant.hours',
  seconds: 'variant.seconds',
  resolution: 'variant.resolution',
} as const;

/** When the price differs: long prompts, tiers, speeds, places, hours; for prompt and completion. */
export const PriceVariants = ({ variants, price, group }: PriceVariantsProps) => {
  const { t } = useTranslation('pricing');
  const shown = variants.filter(({ kind, input, output, call }) =>
    'call' in price ? call !== 1 || kind === 'seconds' : input !== 1 || output !== 1,
  );
  if (shown.length === 0) return null;
  const title = t('variant.title', { group });
  const times = (factor: number): string => (factor === 1 ? '' : ` ×${Number(factor.toPrecision(4))}`);
  return (
    <section>
      <h3>{title}</h3>
      <SmallTable
        label={title}
        columns={[
          { title: t('variant.when') },
          ...('call' in price
            ? [{ title: t('column.call'), align: 'end' as const }]
            : [
                { title: t('column.input'), align: 'end' as const },
                { title: t('column.output'), align: 'end' as const },
              ]),
        ]}
        rows={shown.map(({ kind, name, input, output, call }) => ({
          id: `${kind} ${name}`,
          cells: [
            t(nameKeys[kind], {
              name: kind === 'step' || kind === 'excess' ? Number(name).toLocaleString('en-US') : name,
            }),
            ...('call' in price
              ? [`${formatExactPrice(price.call * call)}${times(call)}`]
              : [
                  `${formatExactPrice(price.prompt * input)}${times(input)}`,
                  `${formatExactPrice(price.completion * output)}${times(output)}`,
                ]),
          ],
        }))}
      />
    </section>
  );
};
