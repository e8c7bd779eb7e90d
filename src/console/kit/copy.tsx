import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t as say, useTranslation } from '../lib/text/i18n.ts';
import { toast } from '../lib/toasts.ts';
import { classNames } from './class-names.ts';
import { openDialog } from './dialogs/dialogs.ts';

/** Copies a text; if the browser refuses, opens a dialog to copy it by hand. Returns whether it was copied. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    await openDialog({ kind: 'copy', text });
    return false;
  }
};

/** The same from a menu or a button, which shows nothing of it by itself. */
export const copyAndTell = async (text: string): Promise<void> => {
  if (await copyText(text)) toast('ok', say('action.copied'));
};

interface CopyProps {
  readonly value: string;
  /** Shown instead of the value, such as a masked key. */
  readonly shown?: string;
  readonly mono?: boolean;
  /** Name for screen readers; default "Copy {shown}". */
  readonly label?: string;
  /** Only the icon. */
  readonly iconOnly?: boolean;
}

/** A text that is copied on click, and briefly says so in its place. */
export const Copy = ({ value, shown = value, mono = false, label, iconOnly = false }: CopyProps) => {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1200);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <button
      type="button"
      className={classNames('copy', mono && 'mono', iconOnly && 'icon-button')}
      // The accessible name must contain the visible text.
      aria-label={
        label === undefined
          ? t('action.copyNamed', { name: shown })
          : iconOnly || label.includes(shown)
            ? label
            : `${label} ${shown}`
      }
      data-tip={isCopied ? t('action.copied') : t('action.copy')}
      onClick={(event) => {
        event.stopPropagation();
        void copyText(value).then(setCopied);
      }}
    >
      {!iconOnly && <span className="truncate">{shown}</span>}
      {isCopied ? <IconCheck size={14} className="tone-ok" /> : <IconCopy size={14} />}
      <span className="hidden-visually" role="status">
        {isCopied ? t('action.copied') : ''}
      </span>
    </button>
  );
};
