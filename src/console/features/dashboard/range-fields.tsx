import { useState } from 'react';
import { localText, readLocal } from '../../lib/text/local-time.ts';
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

/** The fields for a range of one's own. */
const RangeFields = ({ span, patch }: RangeFieldsProps) => {
  const { t } = useTranslation('dashboard');
  const choose = (typed: Span): void => {
    if (typed.from <= typed.to) patch({ from: String(typed.from), to: String(typed.to), days: undefined });
  };
  return (
    <span className="dash-range">
      <MomentField
        key={`from ${span.from}`}
        label={t('from')}
        value={span.from}
        onDone={(from) => choose({ ...span, from })}
      />
      <span aria-hidden>–</span>
      <MomentField
        key={`to ${span.to}`}
        label={t('to')}
        value={span.to}
        onDone={(at) => choose({ ...span, to: at + LAST_S })}
      />
    </span>
  );
};

interface MomentFieldProps {
  readonly label: string;
  readonly value: number;
  readonly onDone: (moment: number) => void;
}

/** A date field that applies when it loses focus, because a half-typed date is invalid. */
const MomentField = ({ label, value, onDone }: MomentFieldProps) => {
  const shown = localText(value - (value % MINUTE_S));
  const [typed, setTyped] = useState(shown);
  const finish = (): void => {
    const moment = readLocal(typed);
    if (moment === undefined) setTyped(shown);
    else if (moment !== readLocal(shown)) onDone(moment);
  };
  return (
    <input
      type="datetime-local"
      className="input number"
      aria-label={label}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  );
};

export default RangeFields;
