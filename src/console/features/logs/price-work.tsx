import type { ReactNode } from 'react';
import type { FactorName } from '#contract/price-factors.ts';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { SmallTable } from '../../kit/tables/small-table.tsx';
import { formatExact, formatQuotaExact } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { bucketNames, isBucket, isTool, toolNames } from './bucket-names.ts';
import type { CallFacts, PriceStep } from './call-facts.ts';

interface PriceWorkProps {
  readonly facts: CallFacts;
  readonly quotaUnits: number;
}

/** The price calculation, checkable by hand: each bucket times its price, the sum, the rounding. */
export const PriceWork = ({ facts, quotaUnits }: PriceWorkProps) => {
  const { t } = useTranslation('log-more');
  const { steps, sum, units } = facts;
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
          rows={steps.map((step, index) => ({
            // A bucket has one line for each of its prices.
            id: `${step.bucket}-${String(index)}`,
            cells: [
              partName(step.bucket, t),
              formatExact(step.count),
              <UnitPrice key="each" step={step} />,
              <span key="units" data-units={step.units}>
                {grouped(step.units)}
              </span>,
            ],
          }))}
          foot={[
            ...(sum === undefined
              ? []
              : [line('sum', t('price.sum'), <span data-price-sum={sum}>{grouped(sum)}</span>)]),
            ...(units === undefined || sum === String(units)
              ? []
              : [
                  line(
                    'rounded',
                    t('price.rounded'),
                    <span data-price-rounded={units}>{formatExact(units)}</span>,
                  ),
                ]),
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
      {units !== undefined && units !== quotaUnits && (
        <p className="meta">
          {t('price.differs', { count: units - quotaUnits, exact: formatExact(units - quotaUnits) })}
        </p>
      )}
      {facts.savedUnits !== 0 && (
        <p className="meta">
          {t(facts.savedUnits > 0 ? 'price.saved' : 'price.savedLess')}{' '}
          <QuotaText units={Math.abs(facts.savedUnits)} />
        </p>
      )}
      {facts.heldUnits !== undefined && facts.heldUnits > 0 && (
        <p className="meta">
          {t('price.held')} <QuotaText units={facts.heldUnits} />
        </p>
      )}
      {facts.isLimitedByQuota && <p className="meta">{t('price.limitedByQuota')}</p>}
      {facts.loweredTokens !== undefined && (
        <p className="meta">{t('price.loweredTo', { tokens: formatExact(facts.loweredTokens) })}</p>
      )}
    </section>
  );
};

/** An exact number as text, with thousands separators like the numbers beside it. */
const grouped = (text: string): string => {
  const [whole = '', ...fraction] = text.split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3}){1,9}$)/g, ','), ...fraction].join('.');
};

const partName = (bucket: string, t: ReturnType<typeof useTranslation<'log-more'>>['t']): string => {
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
  t: ReturnType<typeof useTranslation<'log-more'>>['t'],
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
  audioCacheSurcharge: 'factor.audioCacheSurcharge',
  imageCacheSurcharge: 'factor.imageCacheSurcharge',
  createCacheRatio: 'factor.createCacheRatio',
  contextStep: 'factor.contextStep',
  tier: 'factor.tier',
  speed: 'factor.speed',
  place: 'factor.place',
  hours: 'factor.hours',
  oneHour: 'factor.oneHour',
  imageRatio: 'factor.imageRatio',
  audioRatio: 'factor.audioRatio',
  audioCompletionRatio: 'factor.audioCompletionRatio',
  imageCompletionRatio: 'factor.imageCompletionRatio',
  asText: 'factor.asText',
  groupRatio: 'factor.groupRatio',
  userGroupRatio: 'factor.userGroupRatio',
  perCall: 'factor.perCall',
  perThousandCalls: 'factor.perThousandCalls',
  quotaPerThousandth: 'factor.quotaPerThousandth',
  quotaPerUnit: 'factor.quotaPerUnit',
  times: 'factor.times',
  seconds: 'factor.seconds',
  resolution: 'factor.resolution',
};

/** The unit price, and its factors. */
const UnitPrice = ({ step: { factors, unitsEach } }: { readonly step: PriceStep }) => {
  const { t } = useTranslation('log-more');
  return (
    <span className="unit-price">
      <span className="unit-factors meta">
        {factors.map(({ name, value }, at) => (
          <span key={name} data-tip={t(factorKeys[name])}>
            {at > 0 && ' × '}
            <span className="unit-factor">{value}</span>
          </span>
        ))}
        {factors.length > 0 && ' ='}
      </span>{' '}
      {grouped(unitsEach)}
    </span>
  );
};
