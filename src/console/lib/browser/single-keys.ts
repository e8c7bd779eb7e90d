import { signal } from './signal.ts';
import { readStored, store } from './stored.ts';

const KEY = 'single-keys';

/** Whether shortcuts without Ctrl or Alt are on. People who use speech input or have a tremor switch them off. */
export const singleKeys = signal(readStored(KEY) !== 'off');

export const setSingleKeys = (isOn: boolean): void => {
  store(KEY, isOn ? undefined : 'off');
  singleKeys.set(isOn);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !== null;

/**
 * Whether the page may handle a key: no field has the focus, no dialog or menu is open, and letter shortcuts are on
 * (Escape, Enter and arrows always are).
 */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  (event.key.length > 1 || singleKeys.get()) &&
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event.target) &&
  document.querySelector('dialog[open], [role=dialog], [role=menu]') === null;
