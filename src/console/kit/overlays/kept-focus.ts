import { focusPage } from './use-focus-back.ts';

const CONTROL = ':is(button, a, input):not(:disabled)';

/** The control that has taken the place of what is gone: "Cancel" that of what it cancels, and the other way round. */
const replacement = (
  records: readonly MutationRecord[],
  { target, previousSibling, nextSibling }: MutationRecord,
): HTMLElement | undefined =>
  records
    .filter((one) => one.target === target)
    .flatMap(({ addedNodes }) => [...addedNodes])
    .filter((one) => one instanceof HTMLElement && one.isConnected && one.matches(CONTROL))
    .find((one) => one.previousSibling === previousSibling && one.nextSibling === nextSibling) as
    | HTMLElement
    | undefined;

/** What the focus may go to beside what is gone: the next row, or the next entry of a list. */
const nearest = ({ nextSibling, previousSibling }: MutationRecord): HTMLElement | undefined => {
  const beside = [nextSibling, previousSibling].find(
    (one) => one instanceof HTMLElement && one.isConnected && one.matches('[data-row], li'),
  );
  if (!(beside instanceof HTMLElement)) return undefined;
  return beside.querySelector<HTMLElement>(CONTROL) ?? undefined;
};

/** A closing dialog returns the focus itself. */
const give = (record: MutationRecord, records: readonly MutationRecord[]): void => {
  const { target } = record;
  if (!(target instanceof HTMLElement) || !target.isConnected) return;
  const dialog = target.closest<HTMLElement>('[role="dialog"]');
  const near = replacement(records, record) ?? nearest(record);
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
      if (document.activeElement === document.body && last === gone) give(record, records);
    });
  });
  addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    removeEventListener('focusin', note);
    observer.disconnect();
  };
};
