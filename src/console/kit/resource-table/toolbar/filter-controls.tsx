import './filters.css';
import { Suspense, useCallback, useState } from 'react';
import { isEnter } from '../../../lib/browser/enter-key.ts';
import { late } from '../../late.tsx';
import type { Filter, ViewControls } from '../filter.ts';
import { type Comboboxes, LaterSelectFilter, useComboboxes } from './later-select-filter.tsx';

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter by free text, applied on Enter or when the field loses focus. */
const TextFilter = ({ label, value, onChange }: TextFilterProps) => {
  const [text, setText] = useState(value);
  const [owned, setOwned] = useState(value);
  // The address has another value now; the field stays, with its focus.
  if (owned !== value) {
    setOwned(value);
    setText(value);
  }
  const take = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <input
      className="input filter"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => isEnter(event) && take()}
    />
  );
};

const TimeFilter = late(() => import('./time-filter.tsx'));

interface FilterControlsProps {
  readonly filters: readonly Filter[];
  readonly controls: ViewControls;
}

/** The filters that are not segments. */
export const FilterControls = ({ filters, controls }: FilterControlsProps) => {
  const comboboxes = useComboboxes();
  return filters.map((filter) => (
    <FilterControl key={filter.id} filter={filter} controls={controls} comboboxes={comboboxes} />
  ));
};

interface FilterControlProps {
  readonly filter: Filter;
  readonly controls: ViewControls;
  readonly comboboxes: Comboboxes;
}

/** A component of its own: a combobox is drawn again when its filter changes, not with every key of a search. */
const FilterControl = ({ filter, controls, comboboxes }: FilterControlProps) => {
  const { narrow } = controls;
  const { id } = filter;
  const value = controls.view.filters[id] ?? '';
  const change = useCallback((next: string) => narrow({ [id]: next }), [narrow, id]);
  const waiting = (
    <span className="filter filter-waiting" aria-hidden>
      {'label' in filter && filter.label}
    </span>
  );
  switch (filter.kind) {
    case 'select':
      return <LaterSelectFilter filter={filter} value={value} onChange={change} comboboxes={comboboxes} />;
    case 'text':
      return (
        <TextFilter
          label={filter.label}
          value={value}
          onChange={(typed) => change(filter.keep?.(typed) ?? typed)}
        />
      );
    case 'time':
      return (
        <Suspense fallback={waiting}>
          <TimeFilter filter={filter} controls={controls} />
        </Suspense>
      );
    case 'own':
      return filter.control(controls);
    case 'segments':
      return null;
    default:
      return filter satisfies never;
  }
};
