import { useId } from 'react';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';
import { MomentInput } from './moment-input.tsx';

interface TimeFieldProps extends FieldProps {
  /** Unix seconds; undefined while empty. */
  readonly value?: number | undefined;
  readonly onChange: (unixSeconds: number | undefined) => void;
  /** Chips under the field: "1 day", "never" … */
  readonly presets?: readonly { readonly label: string; readonly value: () => number | undefined }[];
}

/** A moment in the local zone, with presets. */
export const TimeField = ({ value, onChange, presets = [], ...field }: TimeFieldProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} field={field}>
      <MomentInput {...controlProps(id, field)} step={1} value={value} onDone={onChange} isEager />
      {presets.length > 0 && (
        <div className="presets">
          {presets.map((preset) => (
            <button
              key={preset.label}
              type="button"
              className="preset"
              onClick={() => onChange(preset.value())}
            >
              {preset.label}
            </button>
          ))}
        </div>
      )}
    </FieldFrame>
  );
};
