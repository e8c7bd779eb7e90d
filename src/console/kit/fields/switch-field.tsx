import { useId } from 'react';
import { controlProps, FieldNote, type FieldProps } from './field.tsx';

interface SwitchFieldProps extends Omit<FieldProps, 'placeholder'> {
  readonly checked?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** On or off, saved with the form. With @mantine/form: `form.getInputProps(name, { type: 'checkbox' })`. */
export const SwitchField = ({ checked = false, onChange, ...field }: SwitchFieldProps) => {
  const id = useId();
  return (
    <div className="field field-switch">
      <input
        {...controlProps(id, field)}
        type="checkbox"
        role="switch"
        className="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{field.label}</label>
        <FieldNote id={id} field={field} />
      </div>
    </div>
  );
};
