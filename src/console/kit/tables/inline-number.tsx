import './inline-number.css';
import { useState } from 'react';
import { MISSING } from '../../lib/text/format.ts';

interface InlineNumberProps {
  /** Null if the rows have different numbers. */
  readonly value: number | null;
  /** Its name for screen readers: "Weight of main". */
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** Called once after a change, with a whole number within the bounds. */
  readonly onChange: (value: number) => void;
  /** Called instead if the input is no whole number or below `min`; without it the input is corrected. */
  readonly onRefused?: (entered: number) => void;
  readonly tip?: string | undefined;
}

/** A whole number that is edited in the table: Enter or leaving saves it, Escape restores the old one. */
export const InlineNumber = ({ value, label, min, max, onChange, onRefused, tip }: InlineNumberProps) => {
  const [typed, setTyped] = useState<string>();

  const take = (): void => {
    if (typed === undefined) return;
    setTyped(undefined);
    if (typed.trim() === '') return;
    const entered = Number(typed);
    if (onRefused !== undefined && !(Number.isInteger(entered) && entered >= min)) return onRefused(entered);
    const wanted = Math.round(entered);
    if (Number.isNaN(wanted)) return;
    const next = Math.min(max, Math.max(min, wanted));
    if (next !== value) onChange(next);
  };
  return (
    <input
      className="inline-number number"
      type="text"
      inputMode="numeric"
      aria-label={label}
      data-tip={tip}
      value={typed ?? (value === null ? '' : String(value))}
      placeholder={MISSING}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          const from = Number(typed ?? value);
          if (!Number.isNaN(from)) setTyped(String(from + (event.key === 'ArrowUp' ? 1 : -1)));
        }
        if (event.key === 'Escape') setTyped(undefined);
      }}
    />
  );
};
