import { MomentInput } from '../../kit/fields/moment-input.tsx';
import { zoneText } from '../../kit/fields/zone-note.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { UrlPatch } from '../../lib/browser/url-state.ts';
import type { Span } from './usage-sums.ts';

interface RangeFieldsProps {
  readonly span: Span;
  readonly patch: (change: UrlPatch) => void;
}

const MINUTE_S = 60;
/** Ranges are typed without seconds, so a range ends with the last second of its minute. */
const LAST_S = MINUTE_S - 1;

const wholeMinute = (unixSeconds: number): number => unixSeconds - (unixSeconds % MINUTE_S);

/** The fields for a range of one's own. */
const RangeFields = ({ span, patch }: RangeFieldsProps) => {
  const { t } = useTranslation('dashboard');
  const choose = (typed: Span): void => {
    if (typed.from <= typed.to) patch({ from: String(typed.from), to: String(typed.to), days: undefined });
  };
  return (
    <span className="dash-range" title={zoneText()}>
      <MomentInput
        required
        aria-label={t('from')}
        value={wholeMinute(span.from)}
        onDone={(from = span.from) => choose({ ...span, from })}
      />
      <span aria-hidden>–</span>
      <MomentInput
        required
        aria-label={t('to')}
        value={wholeMinute(span.to)}
        onDone={(to = span.to) => choose({ ...span, to: to + LAST_S })}
      />
    </span>
  );
};

export default RangeFields;
