import './inline-number.css';
import { useState } from 'react';

interface InlineNumberProps {
  readonly value: number;
  /** Its name for screen readers: "Weight of main". */
  readonly label: string;
  readonly min: number;
  readonly max: number;
  /** Called once, with a whole number within the bounds, when it was changed. */
  readonly onChange: (value: number) => void;
}

/** A whole number in a table, changed in its place: Enter or leaving takes it, Escape puts the old one back. */
export const InlineNumber = ({ value, label, min, max, onChange }: InlineNumberProps) => {
  const [typed, setTyped] = useState<string>();

  const take = (): void => {
    if (typed === undefined) return;
    setTyped(undefined);
    const wanted = Math.round(Number(typed));
    if (typed.trim() === '' || Number.isNaN(wanted)) return;
    const next = Math.min(max, Math.max(min, wanted));
    if (next !== value) onChange(next);
  };
  return (
    <input
      className="inline-number number"
      type="text"
      inputMode="numeric"
      aria-label={label}
      value={typed ?? String(value)}
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
