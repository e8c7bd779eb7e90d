import { memo } from 'react';
import { SelectField } from '../../fields/select-field.tsx';
import type { Filter } from '../filter.ts';

interface SelectFilterProps {
  readonly filter: Filter & { readonly kind: 'select' };
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter with many choices, in a chunk of its own because of the combobox. */
const SelectFilter = memo(({ filter, value, onChange }: SelectFilterProps) => (
  <div className="filter" onFocus={filter.onFocus}>
    <SelectField
      label={filter.label}
      bare
      clearable
      choices={filter.choices}
      value={value}
      onChange={onChange}
    />
  </div>
));

export default SelectFilter;
