import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { priceExample } from '#contract/api/wallet/pricing.ts';
import type { Data } from '#contract/endpoint.ts';
import { modelDimensions, MOST_TOKENS } from '#contract/options/price-dimensions.ts';
import { NumberField } from '../../../kit/fields/number-field.tsx';
import { TimeField } from '../../../kit/fields/time-field.tsx';
import { Segmented } from '../../../kit/segmented.tsx';
import { SmallTable } from '../../../kit/tables/small-table.tsx';
import { Notice } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { messageOf } from '../../../lib/server/api-error.ts';
import { formatExact, formatQuotaExact } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';

type Example = Data<typeof priceExample>[number];
type Step = Example['price_steps'][number];

interface WorkedExampleProps {
  readonly model: string;
  /** The form's values; no request while they are invalid. */
  readonly dimensions: unknown;
  readonly tiers: readonly string[];
  readonly hasHours: boolean;
  readonly isBySecond: boolean;
  readonly resolutions: readonly string[];
}

const TYPING_MS = 300;

/** The debounced value, so that not every keystroke sends a request. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState('null');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};

/** The cost of two example calls with the form's values, computed by the server like a charge. */
export const WorkedExample = ({
  model,
  dimensions,
  tiers,
  hasHours,
  isBySecond,
  resolutions,
}: WorkedExampleProps) => {
  const { t } = useTranslation('price-form');
  const [prompts, setPrompts] = useState<readonly [number, number]>([10_000, 300_000]);
  const [completion, setCompletion] = useState(1000);
  const [chosen, setChosen] = useState('standard');
  const [at, setAt] = useState<number>();
  const [seconds, setSeconds] = useState<number | undefined>(8);
  const [size, setSize] = useState('');
  const resolution = resolutions.includes(size) ? size : resolutions[0];
  const tier = tiers.includes(chosen) ? chosen : 'standard';
  const read = modelDimensions.safeParse(dimensions);
  const text = useSettled(JSON.stringify(read.data ?? null));
  const media = {
    ...(isBySecond && seconds !== undefined && seconds > 0 && { seconds }),
    ...(resolution !== undefined && { resolution }),
  };
  const calls = prompts.map((prompt) => ({ prompt, completion, ...media }));
  const moment = hasHours && at !== undefined ? { at } : {};
  const query = useQuery({
    queryKey: ['price-example', model, text, tier, moment, calls],
    queryFn: ({ signal }) =>
      call(
        priceExample,
        { body: { model, dimensions: modelDimensions.parse(JSON.parse(text)), tier, calls, ...moment } },
        signal,
      ),
    enabled: text !== 'null',
    placeholderData: keepPreviousData,
  });
  const count = (label: string, value: number, onChange: (tokens: number) => void) => (
    <NumberField
      label={label}
      value={value}
      min={0}
      max={MOST_TOKENS}
      onChange={(tokens = 0) => onChange(Math.min(MOST_TOKENS, Math.max(0, Math.round(tokens))))}
    />
  );
  return (
    <section className="price-example" aria-label={t('example.title')}>
      <h3>{t('example.title')}</h3>
      <p className="field-hint">{t('example.about')}</p>
      <div className="price-row-fields">
        {count(t('example.prompt', { number: 1 }), prompts[0], (one) => setPrompts([one, prompts[1]]))}
        {count(t('example.prompt', { number: 2 }), prompts[1], (two) => setPrompts([prompts[0], two]))}
        {count(t('example.completion'), completion, setCompletion)}
        {isBySecond && (
          <NumberField
            label={t('example.seconds')}
            value={seconds}
            min={0}
            max={36_000}
            step="any"
            onChange={setSeconds}
          />
        )}
        {hasHours && <TimeField label={t('example.at')} value={at} onChange={setAt} />}
      </div>
      {tiers.length > 0 && (
        <Segmented
          label={t('example.tier')}
          value={tier}
          options={[...new Set(['standard', ...tiers])].map((value) => ({ value, label: value }))}
          onChange={setChosen}
        />
      )}
      {resolutions.length > 0 && (
        <Segmented
          label={t('example.resolution')}
          value={resolution ?? ''}
          options={resolutions.map((value) => ({ value, label: value }))}
          onChange={setSize}
        />
      )}
      {!read.success && <p className="field-hint">{t('example.waits')}</p>}
      {read.success && query.error !== null && <Notice tone="bad">{messageOf(query.error)}</Notice>}
      {read.success &&
        query.error === null &&
        query.data?.map((example, index) => (
          // The calls have no name, only an order.
          <ExampleTable key={index} prompt={calls[index]?.prompt ?? 0} example={example} />
        ))}
    </section>
  );
};

const bucketKeys = {
  inputTokens: 'part.input',
  cacheReadTokens: 'part.cacheRead',
  outputTokens: 'part.output',
  call: 'part.call',
} as const;

const ExampleTable = ({ prompt, example }: { readonly prompt: number; readonly example: Example }) => {
  const { t } = useTranslation('price-form');
  const { price_steps: steps, price_units: units } = example;
  const nameOf = ({ bucket }: Step): string => {
    const key = Object.entries(bucketKeys).find(([name]) => name === bucket)?.[1];
    return key === undefined ? bucket : t(key);
  };
  const workOf = ({ factors, unitsEach }: Step): string =>
    `${Object.values(factors).join(' × ')} = ${unitsEach}`;
  return (
    <div className="price-answer">
      <p aria-live="polite">
        {t('example.call', { tokens: formatExact(prompt) })}{' '}
        <strong className="number" data-example-cost={units}>
          {units === null ? t('example.tooMuch') : formatQuotaExact(units)}
        </strong>
      </p>
      <SmallTable
        label={t('example.call', { tokens: formatExact(prompt) })}
        columns={[
          { title: t('example.part') },
          { title: t('example.count'), align: 'end' },
          { title: t('example.each'), align: 'end' },
          { title: t('example.units'), align: 'end' },
        ]}
        rows={steps.map((step, at) => ({
          id: `${step.bucket}-${String(at)}`,
          cells: [nameOf(step), formatExact(step.count), workOf(step), step.units],
        }))}
      />
    </div>
  );
};
