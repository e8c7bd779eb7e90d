import { IconEye, IconEyeOff } from '@tabler/icons-react';
import {
  useId,
  useState,
  type ClipboardEvent,
  type HTMLInputAutoCompleteAttribute,
  type ReactNode,
} from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { classNames } from '../class-names.ts';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';

interface TextFieldProps extends FieldProps {
  readonly value?: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly name?: string;
  readonly type?: 'text' | 'password' | 'email' | 'url';
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly maxLength?: number;
  readonly mono?: boolean;
  readonly aside?: ReactNode;
}

/**
 * Focuses the field when it appears. Drawers and dialogs only set the first focus when they open; pages and later steps of a
 * dialog never do.
 */
const focusFirst = (input: HTMLInputElement | null): void => input?.focus({ preventScroll: true });

/** Whether what is pasted is too long for a field: browsers cut it there, and say nothing. */
const isTooLong = ({ currentTarget: field, clipboardData }: ClipboardEvent<HTMLInputElement>): boolean => {
  const replaced = (field.selectionEnd ?? 0) - (field.selectionStart ?? 0);
  return (
    field.maxLength >= 0 &&
    field.value.length - replaced + clipboardData.getData('text').length > field.maxLength
  );
};

/** One line of text; with `type="password"`, an eye button shows it. */
export const TextField = (props: TextFieldProps) => {
  const {
    value = '',
    onChange,
    onBlur,
    name,
    type = 'text',
    autoComplete = 'off',
    maxLength,
    mono = false,
    aside,
    ...asked
  } = props;
  const id = useId();
  const { t } = useTranslation();
  const [isCut, setCut] = useState(false);
  const isFull = maxLength !== undefined && value.length >= maxLength;
  const field = isCut && isFull ? { ...asked, hint: t('field.cut', { most: maxLength }) } : asked;
  const [isShown, setShown] = useState(false);
  return (
    <FieldFrame id={id} field={field} aside={aside}>
      <span className="input-box">
        <input
          {...controlProps(id, field)}
          ref={field.autoFocus === true ? focusFirst : undefined}
          className={classNames('input', mono && 'mono')}
          type={type === 'password' && isShown ? 'text' : type}
          name={name}
          value={value}
          maxLength={maxLength}
          autoComplete={autoComplete}
          spellCheck={false}
          onBlur={onBlur}
          onPaste={(event) => setCut(isTooLong(event))}
          onChange={(event) => onChange(event.target.value)}
        />
        {type === 'password' && field.disabled !== true && (
          <button
            type="button"
            className="input-eye"
            aria-pressed={isShown}
            aria-label={t('field.showPassword')}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? <IconEyeOff size={17} /> : <IconEye size={17} />}
          </button>
        )}
      </span>
    </FieldFrame>
  );
};
