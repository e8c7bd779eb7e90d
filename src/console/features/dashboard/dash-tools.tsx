import { Suspense, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { Segmented } from '../../kit/segmented.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { UrlPatch } from '../../lib/browser/url-state.ts';
import { type Preset, presets } from './last-days.ts';
import { type Split, splitsFor } from './splits.ts';
import type { Metric, Span, Step } from './usage-sums.ts';
import type { Whose } from './use-usage.ts';

const RangeFields = late(() => import('./range-fields.tsx'));

interface DashToolsProps {
  readonly span: Span;
  readonly preset: Preset | undefined;
  readonly step: Step;
  readonly whose: Whose;
  readonly isAdmin: boolean;
  readonly patch: (change: UrlPatch) => void;
}

export const steps: readonly Step[] = ['hour', 'day', 'week'];
export const metrics: readonly Metric[] = ['quota', 'count', 'token_used'];

const TYPED = 'typed';

/** The controls of the whole dashboard: user, span and step. All of it is in the address. */
export const DashTools = ({ span, preset, step, whose, isAdmin, patch }: DashToolsProps) => {
  const { t } = useTranslation('dashboard');
  const [isTyping, setTyping] = useState(false);
  // A typed span is in the address, so Back returns to the preset that was shown before.
  if (isTyping && preset === undefined) setTyping(false);
  const isTyped = isTyping || preset === undefined;
  const ranges = presets.map((days) => ({ value: String(days), label: t(`days.${days}`) }));
  return (
    <>
      {isAdmin && (
        <Segmented
          label={t('whose')}
          value={whose.isAll ? 'all' : 'me'}
          options={[
            { value: 'all', label: t('everybody') },
            { value: 'me', label: t('me') },
          ]}
          onChange={(next) => patch({ of: next === 'me' ? 'me' : undefined, user: undefined })}
        />
      )}
      {whose.isAll && (
        <input
          type="search"
          className="input dash-user"
          aria-label={t('username')}
          placeholder={t('username')}
          defaultValue={whose.username}
          key={whose.username}
          onBlur={(event) => patch({ user: event.target.value.trim() })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      <Segmented
        label={t('range')}
        value={isTyped ? TYPED : String(preset)}
        options={[...ranges, { value: TYPED, label: t('days.typed') }]}
        onChange={(days) => {
          setTyping(days === TYPED);
          if (days !== TYPED) patch({ days, from: undefined, to: undefined });
        }}
      />
      <Segmented
        label={t('step')}
        value={step}
        options={steps.map((value) => ({ value, label: t(`steps.${value}`) }))}
        onChange={(next) => patch({ step: next })}
      />
      <Suspense>{isTyped && <RangeFields span={span} patch={patch} />}</Suspense>
    </>
  );
};

interface ChartToolsProps {
  readonly metric: Metric;
  readonly split: Split;
  readonly isAll: boolean;
  readonly patch: (change: UrlPatch) => void;
}

/** The controls of the usage chart: what is counted, and what the bars are split by. */
export const ChartTools = ({ metric, split, isAll, patch }: ChartToolsProps) => {
  const { t } = useTranslation('dashboard');
  return (
    <div className="chart-tools">
      <Segmented
        label={t('metric')}
        value={metric}
        options={metrics.map((value) => ({ value, label: t(`by.${value}`) }))}
        onChange={(next) => patch({ by: next })}
      />
      <Segmented
        label={t('split')}
        value={split}
        options={splitsFor(isAll).map((value) => ({ value, label: t(`splits.${value}`) }))}
        onChange={(next) => patch({ split: next === 'model' ? undefined : next })}
      />
    </div>
  );
};
