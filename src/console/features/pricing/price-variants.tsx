import type { readPricing } from '#contract/api/pricing.ts';
import type { Data } from '#contract/endpoint.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { formatPrice } from '../../lib/format.ts';

type PricedModel = Data<typeof readPricing>[number];

interface PriceVariantsProps {
  readonly variants: PricedModel['variants'];
  /** What the chosen group usually pays. */
  readonly price: PricedModel['prices'][string];
}

const nameKeys = {
  step: 'variant.step',
  excess: 'variant.excess',
  tier: 'variant.tier',
  speed: 'variant.speed',
  place: 'variant.place',
  hours: 'variant.hours',
} as const;

/** When the model costs something else: long prompts, tiers, speeds, places, hours; prompt and completion. */
export const PriceVariants = ({ variants, price }: PriceVariantsProps) => {
  const { t } = useTranslation('pricing');
  const shown = variants.filter(({ input, output, call }) =>
    'call' in price ? call !== 1 : input !== 1 || output !== 1,
  );
  if (shown.length === 0) return null;
  return (
    <details className="price-variants">
      <summary>{t('variant.title', { count: shown.length })}</summary>
      <dl>
        {shown.map(({ kind, name, input, output, call }) => (
          <div key={`${kind} ${name}`}>
            <dt>
              {t(nameKeys[kind], {
                name: kind === 'step' || kind === 'excess' ? Number(name).toLocaleString('en-US') : name,
              })}
            </dt>
            <dd className="number">
              {'call' in price
                ? formatPrice(price.call * call)
                : `${formatPrice(price.prompt * input)} · ${formatPrice(price.completion * output)}`}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};
