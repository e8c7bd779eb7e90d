import { useState } from 'react';
import { localText, readLocal } from '../../lib/local-time.ts';
import { Segmented } from '../../kit/segmented.tsx';
import { useTranslation } from '../../lib/i18n.ts';
import type { UrlPatch } from '../../lib/url-state.ts';
import { type Preset, presets } from './last-days.ts';
import type { Span } from './usage-sums.ts';

interface RangeFieldsProps {
  readonly span: Span;
  readonly preset: Preset | undefined;
  readonly patch: (change: UrlPatch) => void;
}

/** The last days by one press, or a range that is typed. */
export const RangeFields = ({ span, preset, patch }: RangeFieldsProps) => {
  const { t } = useTranslation('dashboard');
  const choose = (name: 'from' | 'to', moment: number): void => {
    const typed = { ...span, [name]: moment };
    if (typed.from <= typed.to) patch({ from: String(typed.from), to: String(typed.to), days: undefined });
  };
  return (
    <div className="dash-range">
      <Segmented
        label={t('range')}
        value={preset === undefined ? '' : String(preset)}
        options={presets.map((days) => ({ value: String(days), label: t(`days.${days}`) }))}
        onChange={(days) => patch({ days, from: undefined, to: undefined })}
      />
      {/* Its two ends are not parted by the end of a line. */}
      <span className="dash-range">
        <MomentField
          key={`from ${span.from}`}
          label={t('from')}
          value={span.from}
          onDone={(at) => choose('from', at)}
        />
        <span aria-hidden>–</span>
        <MomentField
          key={`to ${span.to}`}
          label={t('to')}
          value={span.to}
          onDone={(at) => choose('to', at)}
        />
      </span>
    </div>
  );
};

interface MomentFieldProps {
  readonly label: string;
  readonly value: number;
  readonly onDone: (moment: number) => void;
}

/** A moment that counts when whoever types it is done: a date is nonsense between its keystrokes. */
const MomentField = ({ label, value, onDone }: MomentFieldProps) => {
  const [typed, setTyped] = useState(localText(value));
  const finish = (): void => {
    const moment = readLocal(typed);
    if (moment === undefined) setTyped(localText(value));
    else if (moment !== value) onDone(moment);
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
