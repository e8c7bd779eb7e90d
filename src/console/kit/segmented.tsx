import './segmented.css';
import { useId, useState } from 'react';

interface SegmentedProps<Value extends string> {
  /** Name of the group for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly count?: number }[];
  /** Called with every choice. The choice shows at once, even if the value comes back through the address later. */
  readonly onChange: (value: Value) => void;
}

/** One of a few, all visible. Arrow keys move between them. */
export const Segmented = <Value extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedProps<Value>) => {
  // Two groups with the same label need different names, or their radios would unselect each other.
  const name = useId();
  const [shown, setShown] = useState(value);
  const [owned, setOwned] = useState(value);
  // The owner's value has changed: to the choice, or to another one.
  if (owned !== value) {
    setOwned(value);
    setShown(value);
  }
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className="segment">
          <input
            type="radio"
            name={name}
            checked={option.value === shown}
            onChange={() => {
              setShown(option.value);
              onChange(option.value);
            }}
          />
          <span>
            {option.label}
            {option.count !== undefined && <span className="segment-count number">{option.count}</span>}
          </span>
        </label>
      ))}
    </div>
  );
};
