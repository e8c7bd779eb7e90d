import { useId, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';

interface TextAreaFieldProps extends FieldProps {
  readonly value?: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly rows?: number;
  readonly mono?: boolean;
  readonly aside?: ReactNode;
}

/** Several lines of text; grows with what is typed. */
export const TextAreaField = ({
  value = '',
  onChange,
  onBlur,
  rows = 3,
  mono = false,
  aside,
  ...field
}: TextAreaFieldProps) => {
  const id = useId();
  return (
    <FieldFrame id={id} field={field} aside={aside}>
      <textarea
        {...controlProps(id, field)}
        className={classNames('input', 'text-area', mono && 'mono')}
        rows={rows}
        value={value}
        spellCheck={false}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  );
};
