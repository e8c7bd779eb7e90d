import { type ComboboxRenderPillInput, Pill } from '@mantine/core';
import { memo, type ReactNode, startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../../lib/browser/after-frame.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

/** Names drawn at first and with each further step: more than the field shows at once. */
const STEP = 50;
/** The last names are always drawn: what is added stands there, beside the field in which it was typed. */
const LAST = 10;

/**
 * Draws the chosen names of a field. Of very many, such as a channel's thousand models, most wait behind a button with their
 * number: all of them would make every letter late that is typed in the form.
 */
export const useDrawnNames = (
  names: readonly string[],
  onChange: (names: string[]) => void,
): ((pill: ComboboxRenderPillInput) => ReactNode) => {
  const { t } = useTranslation();
  const [drawn, setDrawn] = useState(STEP);
  const [isAsked, setAsked] = useState(false);
  const left = Math.max(0, names.length - drawn - LAST);
  useEffect(
    () => (isAsked && left > 0 ? afterFrame(() => startTransition(() => setDrawn(drawn + STEP))) : undefined),
    [isAsked, left, drawn],
  );
  const waiting = new Set(names.slice(drawn, drawn + left));
  const remove = (gone: string): void => onChange(names.filter((name) => name !== gone));
  return ({ value, option, disabled = false }) => {
    const name = String(value);
    if (!waiting.has(name))
      return <NamePill name={name} label={option.label} disabled={disabled} onRemove={remove} />;
    if (name !== names[drawn]) return null;
    return (
      <button
        type="button"
        className="link number"
        aria-label={`+${String(left)} ${t('shell.more')}`}
        // Else the field beside it would take the focus and open its list.
        onMouseDown={(event) => event.stopPropagation()}
        onClick={() => setAsked(true)}
      >
        +{left}
      </button>
    );
  };
};

interface NamePillProps {
  readonly name: string;
  readonly label: string;
  readonly disabled: boolean;
  readonly onRemove: (name: string) => void;
}

/** Drawn again only when the list changes, not with every letter in the field. */
const NamePill = memo(({ name, label, disabled, onRemove }: NamePillProps) => (
  <Pill withRemoveButton={!disabled} disabled={disabled} onRemove={() => onRemove(name)}>
    {label}
  </Pill>
));
