import './fields.css';
import { useId } from 'react';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';

interface SliderFieldProps extends FieldProps {
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** How the value is written beside the label; default the number. */
  readonly shown?: string;
}

/** A number from a small range, on a slider. */
export const SliderField = ({ value, onChange, min, max, step, shown, ...field }: SliderFieldProps) => {
  const id = useId();
  return (
    <FieldFrame
      id={id}
      field={field}
      aside={
        <output className="meta number" htmlFor={id}>
          {shown ?? value}
        </output>
      }
    >
      <input
        {...controlProps(id, field)}
        type="range"
        className="slider"
        min={min}
        max={max}
        step={step}
        value={value}
        style={{ '--filled': `${Math.max(0, (value - min) / (max - min)) * 100}%` }}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </FieldFrame>
  );
};
