import { Segmented } from '../../kit/segmented.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import type { UrlPatch } from '../../lib/url-state.ts';
import type { Preset } from './last-days.ts';
import { RangeFields } from './range-fields.tsx';
import { type Split, splitsFor } from './splits.ts';
import type { Metric, Span, Step } from './usage-sums.ts';
import type { Whose } from './use-usage.ts';

interface DashToolsProps {
  readonly span: Span;
  readonly preset: Preset | undefined;
  readonly metric: Metric;
  readonly step: Step;
  readonly split: Split;
  readonly whose: Whose;
  readonly patch: (change: UrlPatch) => void;
}

export const steps: readonly Step[] = ['hour', 'day', 'week'];
export const metrics: readonly Metric[] = ['quota', 'count', 'token_used'];

/** What the dashboard shows: of what, of whom, of when, and how it is split. All of it is in the address. */
export const DashTools = ({ span, preset, metric, step, split, whose, patch }: DashToolsProps) => {
  const { t } = useTranslation('dashboard');
  return (
    <div className="dash-tools">
      <Segmented
        label={t('metric')}
        value={metric}
        options={metrics.map((value) => ({ value, label: t(`by.${value}`) }))}
        onChange={(next) => patch({ by: next })}
      />
      <Segmented
        label={t('step')}
        value={step}
        options={steps.map((value) => ({ value, label: t(`steps.${value}`) }))}
        onChange={(next) => patch({ step: next })}
      />
      <Segmented
        label={t('split')}
        value={split}
        options={splitsFor(whose.isAll).map((value) => ({ value, label: t(`splits.${value}`) }))}
        onChange={(next) => patch({ split: next === 'model' ? undefined : next })}
      />
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
      <RangeFields span={span} preset={preset} patch={patch} />
    </div>
  );
};
