import './inline-number.css';
import { useState } from 'react';
import { isEnter } from '../../lib/browser/enter-key.ts';

interface InlineTextProps {
  readonly value: string;
  /** Its name for screen readers: "Remark of main". */
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** Called once after a change, with the trimmed text. */
  readonly onChange: (value: string) => void;
}

/** A line of text that is edited in the table: Enter or leaving saves it, Escape restores the old one. */
export const InlineText = ({ value, label, placeholder, maxLength, onChange }: InlineTextProps) => {
  const [typed, setTyped] = useState<string>();
  const take = (): void => {
    if (typed === undefined) return;
    setTyped(undefined);
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <input
      className="inline-number inline-text"
      type="text"
      aria-label={label}
      data-tip={value === '' ? undefined : value}
      value={typed ?? value}
      placeholder={placeholder}
      maxLength={maxLength}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (isEnter(event)) event.currentTarget.blur();
        if (event.key !== 'Escape' || typed === undefined) return;
        event.stopPropagation();
        setTyped(undefined);
      }}
    />
  );
};
