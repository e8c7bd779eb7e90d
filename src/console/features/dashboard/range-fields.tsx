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

/** The fields for a range of one's own. An end that is moved past the other takes it along, so that what is shown is what counts. */
const RangeFields = ({ span, patch }: RangeFieldsProps) => {
  const { t } = useTranslation('dashboard');
  const length = span.to - span.from;
  const choose = ({ from, to }: Span): void => patch({ from: String(from), to: String(to), days: undefined });
  const begin = (from: number): void => choose({ from, to: from <= span.to ? span.to : from + length });
  const finish = (to: number): void =>
    choose({ from: span.from <= to ? span.from : Math.max(0, to - length), to });
  return (
    <span className="dash-range" title={zoneText()}>
      <MomentInput
        required
        aria-label={t('from')}
        value={wholeMinute(span.from)}
        onDone={(from = span.from) => begin(from)}
      />
      <span aria-hidden>–</span>
      <MomentInput
        required
        aria-label={t('to')}
        value={wholeMinute(span.to)}
        onDone={(to = span.to) => finish(wholeMinute(to) + LAST_S)}
      />
    </span>
  );
};

export default RangeFields;
