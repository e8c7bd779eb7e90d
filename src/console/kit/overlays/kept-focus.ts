import { focusPage } from './use-focus-back.ts';

/** What the focus may go to beside what is gone: the next row, or the next entry of a list. */
const nearest = ({ nextSibling, previousSibling }: MutationRecord): HTMLElement | undefined => {
  const beside = [nextSibling, previousSibling].find(
    (one) => one instanceof HTMLElement && one.isConnected && one.matches('[data-row], li'),
  );
  if (!(beside instanceof HTMLElement)) return undefined;
  return beside.querySelector<HTMLElement>(':is(button, a, input):not(:disabled)') ?? undefined;
};

/** A closing dialog returns the focus itself. */
const give = (record: MutationRecord): void => {
  const { target } = record;
  if (!(target instanceof HTMLElement) || !target.isConnected) return;
  const dialog = target.closest<HTMLElement>('[role="dialog"]');
  const near = nearest(record);
  if (near !== undefined) near.focus();
  else if (dialog !== null) dialog.focus({ preventScroll: true });
  else if (target.closest('#content, .toaster') !== null) focusPage();
};

/**
 * Keeps the focus from being lost with what had it: a deleted row, a button that is no longer needed, the filters' "Clear".
 * Browsers give it to the whole document, where Tab begins anew and screen readers fall silent.
 * @returns ends it
 */
export const keepFocus = (): (() => void) => {
  let last: EventTarget | null = null;
  const note = ({ target }: FocusEvent): void => void (last = target);
  const observer = new MutationObserver((records) => {
    if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return;
    const gone = last;
    const record = records.find(({ removedNodes }) => [...removedNodes].some((one) => one.contains(gone)));
    if (record === undefined) return;
    // What takes its place may want the focus itself.
    setTimeout(() => {
      if (document.activeElement === document.body && last === gone) give(record);
    });
  });
  addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener('focusin', note);
    observer.disconnect();
  };
};
