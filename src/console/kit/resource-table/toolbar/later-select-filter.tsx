import { IconSelector } from '@tabler/icons-react';
import { startTransition, useCallback, useEffect, useState, type ComponentType } from 'react';
import type { SelectFilterProps } from './select-filter.tsx';

export interface Comboboxes {
  /** Undefined until it is needed and loaded. */
  readonly SelectFilter: ComponentType<SelectFilterProps> | undefined;
  readonly want: () => void;
}

const loadFilter = () => import('./select-filter.tsx');

/** Loads the comboboxes of all filters at once: who uses one will soon use another. */
export const useComboboxes = (): Comboboxes => {
  const [SelectFilter, setSelectFilter] = useState<ComponentType<SelectFilterProps>>();
  const want = useCallback(() => {
    // If loading fails, the next move tries again.
    loadFilter().then(
      // Drawn in between: several at once would delay what is typed in one.
      (file) => startTransition(() => setSelectFilter(() => file.default)),
      () => undefined,
    );
  }, []);
  return { SelectFilter, want };
};

interface LaterSelectFilterProps extends Omit<SelectFilterProps, 'entered' | 'typed'> {
  readonly comboboxes: Comboboxes;
}

/**
 * A filter with many choices. Most visitors use no filter, so its combobox is loaded late: until one is hovered or focused, a
 * plain field takes its place. What is typed there meanwhile is kept.
 */
export const LaterSelectFilter = ({ filter, value, onChange, comboboxes }: LaterSelectFilterProps) => {
  const { SelectFilter, want } = comboboxes;
  const [typed, setTyped] = useState('');
  const [entered, setEntered] = useState<'pressed' | 'focused'>();
  // A chosen value has its name and a button to clear it, which only the combobox has.
  const isChosen = value !== '';
  useEffect(() => {
    if (isChosen) want();
  }, [isChosen, want]);
  if (SelectFilter !== undefined)
    return <SelectFilter filter={filter} value={value} onChange={onChange} entered={entered} typed={typed} />;
  return (
    <div className="filter filter-later" onPointerEnter={want}>
      <input
        className="input"
        role="combobox"
        aria-expanded={false}
        aria-haspopup="listbox"
        aria-label={filter.label}
        placeholder={filter.choices.find((choice) => choice.value === value)?.label ?? filter.label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onPointerDown={() => setEntered('pressed')}
        onFocus={() => {
          setEntered((before) => before ?? 'focused');
          want();
        }}
        onBlur={() => setEntered(undefined)}
      />
      <IconSelector size={16} />
    </div>
  );
};
