import { CatchBoundary, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from '../../lib/text/i18n.ts';
import { Button } from '../button.tsx';
import { askToDiscard, useUnloadGuard } from '../dialogs/use-leave-guard.ts';
import { DrawerFrame } from './drawer-frame.tsx';
import { DrawerHead } from './drawer-head.tsx';
import { Notice } from '../states.tsx';
import { useEscape } from '../overlays/use-escape.ts';

interface FormDrawerProps {
  readonly title: string;
  /** Closes the drawer. Called only after the user agreed to discard changes, and never while saving. */
  readonly onClose: () => void;
  /** Checks and saves. Usually `form.onSubmit(save.mutate)`; the page closes the drawer on success. */
  readonly onSubmit: () => void;
  /** Whether there are changes; closing then asks first. Usually `form.isDirty()`. */
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** The address opens it, as for most drawers, so it has an entry of its own in the history. */
  readonly isInAddress?: boolean;
  /** There are no fields yet, so saving is disabled and focus is at the title. */
  readonly isReading?: boolean;
  /** The server's error for the last attempt, shown above the fields. */
  readonly error?: string | undefined;
  readonly saveLabel?: string;
  /** More actions at the left of the foot. */
  readonly foot?: ReactNode;
  readonly width?: number;
  readonly children: ReactNode;
}

/**
 * A form at the right edge; the whole screen on phones. Ctrl+S or ⌘S saves, Escape closes, changes are not lost by
 * accident. Put `<FormSection title>` and fields inside; two fields beside each other go into `<div
 * className="field-pair">`.
 */
export const FormDrawer = (props: FormDrawerProps) => {
  const { title, onSubmit, isSaving, error, saveLabel, foot, width = 660, children } = props;
  const isReading = props.isReading === true;
  const { t } = useTranslation();
  const close = useGuardedClose(props);

  const keys = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const form = event.currentTarget;
    if (isSaving || isReading || !form.contains(document.activeElement)) return;
    // As if the button were pressed: fields that take what is typed when they are left have it then.
    flushSync(() => form.querySelector<HTMLElement>('[type=submit]')?.focus());
    form.requestSubmit();
  };
  return (
    <DrawerFrame title={title} onClose={close} width={width}>
      <form
        className="drawer"
        noValidate
        onKeyDown={keys}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <DrawerHead title={title} onClose={close} isFirst={isReading} />
        <div className="drawer-body">
          {error !== undefined && <Notice tone="bad">{error}</Notice>}
          <CatchBoundary getResetKey={() => title} errorComponent={BrokenFields}>
            {children}
          </CatchBoundary>
        </div>
        <div className="drawer-foot">
          <div className="drawer-extra">{foot}</div>
          <Button onClick={close} disabled={isSaving}>
            {t('action.cancel')}
          </Button>
          {!isReading && (
            <Button variant="primary" type="submit" busy={isSaving} data-tip="Ctrl+S">
              {saveLabel ?? t('action.save')}
            </Button>
          )}
        </div>
      </form>
    </DrawerFrame>
  );
};

/** Shown if drawing the fields failed. The form still has what was typed, and still saves it. */
const BrokenFields = () => {
  const { t } = useTranslation();
  return <Notice tone="bad">{t('drawer.broken')}</Notice>;
};

const loadQuestion = () => import('../dialogs/ask-dialog.tsx');

/** Asks before closing with unsaved changes, also with Back. */
const useGuardedClose = ({
  isDirty,
  isSaving,
  isInAddress = true,
  onClose,
}: FormDrawerProps): (() => void) => {
  const isLeaving = useRef(false);
  useUnloadGuard(() => isDirty && !isLeaving.current);
  useEffect(() => {
    isLeaving.current = false;
    // Back has left the address already when it asks: the question should be there at once.
    void loadQuestion().catch(() => undefined);
  }, []);

  const close = (): void => {
    if (isSaving) return;
    void (async () => {
      if (isDirty && !(await askToDiscard())) return;
      isLeaving.current = true;
      onClose();
    })();
  };
  const isTopmost = useEscape(close);
  useBlocker({
    shouldBlockFn: async ({ action }) => {
      if (action === 'BACK') {
        // Back closes only the dialog above.
        if (!isTopmost()) return false;
        if (!isInAddress) {
          close();
          return true;
        }
      }
      // No question after saving, which closes the drawer itself.
      return isDirty && !isSaving && !isLeaving.current && !(await askToDiscard());
    },
    enableBeforeUnload: false,
    disabled: !isDirty && isInAddress,
  });
  return close;
};

/** A titled part of a form. `isFolded` starts closed and mounts its fields only when opened. */
export const FormSection = ({
  title,
  onFocus,
  children,
}: {
  readonly title: string;
  readonly onFocus?: () => void;
  readonly children: ReactNode;
}) => (
  <section className="form-section" onFocus={onFocus} onPointerDown={onFocus}>
    <h3>{title}</h3>
    {children}
  </section>
);
