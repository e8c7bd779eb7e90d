import { localText, readLocal } from '../../kit/fields/time-field.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import type { UrlPatch } from '../../lib/url-state.ts';
import type { Span } from './usage-sums.ts';

interface RangeFieldsProps {
  readonly span: Span;
  readonly recent: Span;
  readonly patch: (change: UrlPatch) => void;
}

/** The time range; if cleared, the last three days. */
export const RangeFields = ({ span, recent, patch }: RangeFieldsProps) => {
  const { t } = useTranslation('dashboard');
  const field = (name: 'from' | 'to') => (
    <input
      type="datetime-local"
      className="input number"
      aria-label={t(name)}
      value={localText(span[name])}
      onChange={(event) => {
        const moment = readLocal(event.target.value);
        patch({ [name]: moment === undefined || moment === recent[name] ? undefined : String(moment) });
      }}
    />
  );
  return (
    <div className="dash-range">
      {field('from')}
      <span aria-hidden>–</span>
      {field('to')}
    </div>
  );
};
