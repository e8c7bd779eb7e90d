import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

/** The props that every field has beside its value. */
export interface FieldProps {
  readonly label: string;
  /** A sentence under the field. */
  readonly hint?: ReactNode;
  /** The error of the value; replaces the hint. From `form.getInputProps`. */
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  /** Focused when it appears: on a page, in a drawer or in a later step of a dialog. */
  readonly autoFocus?: boolean;
}

interface FrameProps {
  readonly id: string;
  readonly field: FieldProps;
  /** A small action at the right of the label. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** Label, control, and hint or error below it. Every field of the kit is one. */
export const FieldFrame = ({ id, field, aside, children }: FrameProps) => (
  <div className={classNames('field', Boolean(field.error) && 'field-wrong')}>
    <div className="field-label">
      <label htmlFor={id} id={`${id}-label`}>
        {field.label}
        {field.required === true && (
          <span className="field-star" aria-hidden>
            {' '}
            *
          </span>
        )}
      </label>
      {aside}
    </div>
    {children}
    <FieldNote id={id} field={field} />
  </div>
);

export const FieldNote = ({ id, field }: { readonly id: string; readonly field: FieldProps }) => {
  if (field.error)
    return (
      <p className="field-error" id={`${id}-note`} role="alert">
        {field.error}
      </p>
    );
  return field.hint === undefined ? null : (
    <p className="field-hint" id={`${id}-note`}>
      {field.hint}
    </p>
  );
};

/** The attributes that tie a control to its label and note. */
export const controlProps = (id: string, field: FieldProps) => ({
  id,
  placeholder: field.placeholder,
  disabled: field.disabled,
  required: field.required,
  'aria-invalid': Boolean(field.error) || undefined,
  'aria-describedby': field.error || field.hint !== undefined ? `${id}-note` : undefined,
  'data-autofocus': field.autoFocus === true ? true : undefined,
});
