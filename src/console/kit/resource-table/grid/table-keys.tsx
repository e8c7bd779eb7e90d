import { useEffect, useEffectEvent } from 'react';
import { isSingleKey } from '../../../lib/browser/single-keys.ts';

interface Keys {
  /** The row that the keys act on. */
  readonly current: number | undefined;
  readonly onCurrent: (id: number) => void;
  readonly ids: readonly number[];
  readonly select: ((id: number, isRange: boolean) => void) | undefined;
  readonly edit: ((id: number) => void) | undefined;
  readonly expand: ((id: number) => void) | undefined;
  readonly clear: () => void;
}

/** j and k move, x selects (Shift: a range), e edits, Enter opens or folds, / searches, Escape clears the selection. */
const TableKeys = (keys: Keys): null => {
  const { current, onCurrent } = keys;
  const at = current === undefined ? -1 : keys.ids.indexOf(current);

  const move = (step: number): void => {
    const next = keys.ids[Math.min(Math.max(at + step, 0), keys.ids.length - 1)];
    if (next === undefined) return;
    onCurrent(next);
    const row = document.querySelector<HTMLElement>(`[data-row="${next}"]`);
    if (row === null) return;
    // The row gets the focus: Tab continues from it, what it opens returns the focus to it, and screen readers announce it.
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  };
  const act = (key: string, isShift: boolean): boolean => {
    switch (key) {
      case 'j':
        move(1);
        return true;
      case 'k':
        move(-1);
        return true;
      case '/':
        document.querySelector<HTMLInputElement>('[data-table-search]')?.focus();
        return true;
      case 'Escape':
        keys.clear();
        return false;
      default:
        return at !== -1 && current !== undefined && actOnRow(key, current, isShift, keys);
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isSingleKey(event)) return;
    // Enter belongs to the button or link that has the focus.
    if (
      event.key === 'Enter' &&
      event.target instanceof HTMLElement &&
      event.target.closest('button, a, input') !== null
    )
      return;
    if (act(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey))
      event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return null;
};

const actOnRow = (key: string, id: number, isShift: boolean, { select, edit, expand }: Keys): boolean => {
  const action = {
    x: select && (() => select(id, isShift)),
    e: edit && (() => edit(id)),
    Enter: expand && (() => expand(id)),
  }[key];
  action?.();
  return action !== undefined;
};

export default TableKeys;
