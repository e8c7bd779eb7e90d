import type { ReactNode } from 'react';
import { QuotaText } from '../../kit/quota-text.tsx';
import { SmallTable } from '../../kit/small-table.tsx';
import { formatExact, formatQuotaExact } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { bucketNames, isBucket, isTool, toolNames } from './bucket-names.ts';
import type { CallFacts, PriceStep, Ratios } from './call-facts.ts';
import { exactSum, type FactorName, factorsOf, roundedUnits } from './exact-price.ts';

interface PriceWorkProps {
  readonly facts: CallFacts;
  readonly quotaUnits: number;
}

/** How the price came about, as arithmetic to be checked by hand: each bucket times its price, the sum, the rounding. */
export const PriceWork = ({ facts, quotaUnits }: PriceWorkProps) => {
  const { t } = useTranslation('logs');
  const { steps, ratios } = facts;
  const sum = exactSum(steps.map((step) => step.units));
  const rounded = roundedUnits(sum);
  const line = (id: string, name: ReactNode, value: ReactNode) => ({ id, cells: [name, '', '', value] });
  return (
    <section className="log-part log-part-wide">
      <h2>
        {t('price.title')} <span className="meta">{sourceText(facts, t)}</span>
      </h2>
      {steps.length === 0 ? (
        <p className="meta">{t('price.noSteps')}</p>
      ) : (
        <SmallTable
          label={t('price.title')}
          columns={[
            { title: t('price.part') },
            { title: t('price.count'), align: 'end' },
            { title: t('price.each'), align: 'end' },
            { title: t('price.units'), align: 'end' },
          ]}
          rows={steps.map((step) => ({
            id: step.bucket,
            cells: [
              partName(step.bucket, t),
              formatExact(step.count),
              <UnitPrice key="each" step={step} ratios={ratios} />,
              <span key="units" data-units={step.units}>
                {step.units}
              </span>,
            ],
          }))}
          foot={[
            line('sum', t('price.sum'), <span data-price-sum>{sum}</span>),
            ...(sum === String(rounded)
              ? []
              : [line('rounded', t('price.rounded'), <span data-price-rounded>{rounded}</span>)]),
            line(
              'charged',
              <strong>{t('price.charged')}</strong>,
              <strong className="log-charged" data-price-charged={quotaUnits}>
                {formatQuotaExact(quotaUnits)}
              </strong>,
            ),
          ]}
        />
      )}
      {steps.length > 0 && rounded !== quotaUnits && (
        <p className="meta">
          {t('price.differs', { count: rounded - quotaUnits, exact: formatExact(rounded - quotaUnits) })}
        </p>
      )}
      {facts.heldUnits !== undefined && facts.heldUnits > 0 && (
        <p className="meta">
          {t('price.held')} <QuotaText units={facts.heldUnits} />
        </p>
      )}
    </section>
  );
};

const partName = (bucket: string, t: ReturnType<typeof useTranslation<'logs'>>['t']): string => {
  if (isTool(bucket)) return t(toolNames[bucket]);
  return isBucket(bucket) ? t(bucketNames[bucket]) : bucket;
};

const sources = {
  option: 'price.fromOption',
  catalogue: 'price.fromCatalogue',
  'self-use': 'price.fromSelfUse',
} as const;

const sourceText = (
  { priceVersion, priceSource }: CallFacts,
  t: ReturnType<typeof useTranslation<'logs'>>['t'],
): string => {
  const source = Object.entries(sources).find(([name]) => name === priceSource)?.[1];
  return [
    priceVersion === '' ? '' : t('price.version', { version: priceVersion }),
    source === undefined ? '' : t(source),
  ]
    .filter(Boolean)
    .join(' · ');
};

const factorKeys: Readonly<Record<FactorName, `factor.${FactorName}`>> = {
  modelRatio: 'factor.modelRatio',
  completionRatio: 'factor.completionRatio',
  cacheRatio: 'factor.cacheRatio',
  createCacheRatio: 'factor.createCacheRatio',
  oneHour: 'factor.oneHour',
  imageRatio: 'factor.imageRatio',
  audioRatio: 'factor.audioRatio',
  audioCompletionRatio: 'factor.audioCompletionRatio',
  imageCompletionRatio: 'factor.imageCompletionRatio',
  groupRatio: 'factor.groupRatio',
  userGroupRatio: 'factor.userGroupRatio',
  perCall: 'factor.perCall',
  perThousandCalls: 'factor.perThousandCalls',
  quotaPerThousandth: 'factor.quotaPerThousandth',
  quotaPerUnit: 'factor.quotaPerUnit',
};

/** What one of them costs, and the product it is. */
const UnitPrice = ({ step, ratios }: { readonly step: PriceStep; readonly ratios: Ratios }) => {
  const { t } = useTranslation('logs');
  const factors = factorsOf(step, ratios);
  return (
    <span className="unit-price">
      <span className="unit-factors meta">
        {factors.map(({ name, value }, at) => (
          <span key={name} data-tip={t(factorKeys[name])}>
            {at > 0 && ' × '}
            <span className="unit-factor">{formatExact(value)}</span>
          </span>
        ))}
        {factors.length > 0 && ' ='}
      </span>{' '}
      {step.unitsEach}
    </span>
  );
};
