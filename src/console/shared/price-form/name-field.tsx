import { useId } from 'react';
import { controlProps, FieldFrame, type FieldProps } from '../../kit/fields/field.tsx';

interface NameFieldProps extends FieldProps {
  readonly value: string;
  /** Suggested while typing; any other name is allowed. */
  readonly known: Iterable<string>;
  readonly onChange: (value: string) => void;
}

/** The name of what a price is for: a known one, or a new one. */
export const NameField = ({ value, known, onChange, ...field }: NameFieldProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} field={field}>
      <input
        {...controlProps(id, field)}
        className="input mono"
        name="name"
        value={value}
        list={`${id}-known`}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-known`}>
        {[...known].toSorted().map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </FieldFrame>
  );
};
