import { useId, type ReactNode } from 'react';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';

interface NumberFieldProps extends FieldProps {
  /** Undefined while the field is empty. */
  readonly value?: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly onBlur?: () => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  /** The unit, at the right inside the field. */
  readonly unit?: ReactNode;
  readonly aside?: ReactNode;
}

/** A number. Invalid text counts as empty. */
export const NumberField = ({
  value,
  onChange,
  onBlur,
  min,
  max,
  step = 1,
  unit,
  aside,
  ...field
}: NumberFieldProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} field={field} aside={aside}>
      <span className="input-box">
        <input
          {...controlProps(id, field)}
          className="input number"
          type="number"
          inputMode={step === 1 ? 'numeric' : 'decimal'}
          min={min}
          max={max}
          step={step}
          value={value ?? ''}
          onBlur={onBlur}
          onChange={(event) =>
            onChange(Number.isNaN(event.target.valueAsNumber) ? undefined : event.target.valueAsNumber)
          }
        />
        {unit !== undefined && <span className="input-unit">{unit}</span>}
      </span>
    </FieldFrame>
  );
};
