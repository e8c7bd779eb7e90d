import { memo, useEffect, useRef, useState } from 'react';
import { SelectField } from '../../fields/select-field.tsx';
import type { Filter } from '../filter.ts';

export interface SelectFilterProps {
  readonly filter: Filter & { readonly kind: 'select' };
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** How the user entered the plain field that was here before, if they are in it. */
  readonly entered: 'pressed' | 'focused' | undefined;
  /** The text typed there. */
  readonly typed: string;
}

/** A filter with many choices, in a chunk of its own because of the combobox. */
const SelectFilter = memo(({ filter, value, onChange, entered, typed }: SelectFilterProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [first] = useState({ entered, typed });
  useEffect(() => {
    if (first.entered === undefined) return;
    const input = place.current?.querySelector('input');
    input?.focus();
    if (first.entered === 'pressed') input?.click();
    // Inserted as if typed, because the combobox keeps its search text to itself.
    if (first.typed !== '') document.execCommand('insertText', false, first.typed);
  }, [first]);
  return (
    <div ref={place} className="filter" onFocus={filter.onFocus}>
      <SelectField
        label={filter.label}
        bare
        clearable
        choices={filter.choices}
        value={value}
        onChange={onChange}
      />
    </div>
  );
});

export default SelectFilter;
