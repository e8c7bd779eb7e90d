import { IconX } from '@tabler/icons-react';
import { memo, startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../../lib/browser/after-frame.ts';
import { useTranslation } from '../../lib/text/i18n.ts';

/** Names drawn at first and with each further step: more than the field shows at once. */
const STEP = 50;
/** The last names are always drawn: what is added stands there, beside the field in which it was typed. */
const LAST = 10;

interface TakenNamesProps {
  readonly names: readonly string[];
  readonly disabled: boolean;
  readonly onRemove: (name: string) => void;
}

/**
 * The names that a field has. Of very many, such as a channel's thousand models, most wait behind a button with their number:
 * all of them would make every letter late that is typed in the form.
 */
export const TakenNames = ({ names, disabled, onRemove }: TakenNamesProps) => {
  const { t } = useTranslation();
  const [drawn, setDrawn] = useState(STEP);
  const [isAsked, setAsked] = useState(false);
  const left = Math.max(0, names.length - drawn - LAST);
  useEffect(
    () => (isAsked && left > 0 ? afterFrame(() => startTransition(() => setDrawn(drawn + STEP))) : undefined),
    [isAsked, left, drawn],
  );
  const draw = (name: string) => <TakenName key={name} name={name} disabled={disabled} onRemove={onRemove} />;
  return (
    <>
      {names.slice(0, drawn).map(draw)}
      {left > 0 && (
        <button
          type="button"
          className="link number"
          aria-label={`+${String(left)} ${t('shell.more')}`}
          onClick={() => setAsked(true)}
        >
          +{left}
        </button>
      )}
      {names.slice(drawn + left).map(draw)}
    </>
  );
};

interface TakenNameProps {
  readonly name: string;
  readonly disabled: boolean;
  readonly onRemove: (name: string) => void;
}

/** Drawn again only when it changes itself. By keyboard, Backspace removes the last one. */
const TakenName = memo(({ name, disabled, onRemove }: TakenNameProps) => {
  const { t } = useTranslation();
  return (
    <span className="taken-name">
      <span>{name}</span>
      {!disabled && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('field.remove', { name })}
          onClick={() => onRemove(name)}
        >
          <IconX size={12} />
        </button>
      )}
    </span>
  );
});
