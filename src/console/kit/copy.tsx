import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { classNames } from './class-names.ts';
import { openDialog } from './dialogs.ts';

/** Copies a text; where the browser refuses, opens a dialog with the text to be copied by hand. True when it was copied. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    await openDialog({ kind: 'copy', text });
    return false;
  }
};

interface CopyProps {
  readonly value: string;
  /** What is shown when it is not the value itself (a masked key). */
  readonly shown?: string;
  readonly mono?: boolean;
  /** Name for screen readers where the shown text does not say it; default "Copy {shown}". */
  readonly label?: string;
  /** Only the icon. */
  readonly iconOnly?: boolean;
}

/** A text that copies with a click and says so in its place for a moment. */
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
      // What can be read must be part of the name.
      aria-label={
        label === undefined ? t('action.copyNamed', { name: shown }) : iconOnly ? label : `${label} ${shown}`
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
