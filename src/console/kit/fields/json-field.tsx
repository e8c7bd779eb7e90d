import { laidOut } from '#contract/json-text.ts';
import './fields.css';
import { CatchBoundary } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useId } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { controlProps, FieldFrame, type FieldProps } from './field.tsx';

interface JsonFieldProps extends FieldProps {
  readonly value?: string;
  readonly onChange: (value: string) => void;
  /** Filled in by the button beside the label. */
  readonly example?: string;
  /** One more action beside the label. */
  readonly action?: ReactNode;
}

const JsonEditor = lazy(() => import('./json-editor.tsx'));

/**
 * JSON as text. A plain text area until the editor has loaded, and if it cannot be loaded. "Format" pretty-prints valid
 * JSON; the form validates it (`isJsonText`).
 */
export const JsonField = ({ value = '', onChange, example, action, ...field }: JsonFieldProps) => {
  const id = useId();
  const { t } = useTranslation();
  const plain = (
    <textarea
      {...controlProps(id, field)}
      className="input text-area mono json-plain"
      rows={5}
      value={value}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  const aside = field.disabled !== true && (
    <span className="field-actions">
      {action}
      {example !== undefined && (
        <button type="button" className="link" onClick={() => onChange(example)}>
          {t('field.fillExample')}
        </button>
      )}
      <button type="button" className="link" onClick={() => onChange(laidOut(value))}>
        {t('field.formatJson')}
      </button>
    </span>
  );
  return (
    <FieldFrame id={id} field={field} aside={aside}>
      <CatchBoundary getResetKey={() => id} errorComponent={() => plain}>
        <Suspense fallback={plain}>
          <JsonEditor
            id={id}
            value={value}
            label={field.label}
            placeholder={field.placeholder ?? ''}
            isWrong={Boolean(field.error)}
            isDisabled={field.disabled === true}
            onChange={onChange}
          />
        </Suspense>
      </CatchBoundary>
    </FieldFrame>
  );
};
