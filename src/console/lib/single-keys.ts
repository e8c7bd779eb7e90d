import { signal } from './signal.ts';
import { readStored, store } from './stored.ts';

const KEY = 'single-keys';

/** Whether keys without Ctrl or Alt do something; who talks to the computer or trembles switches them off. */
export const singleKeys = signal(readStored(KEY) !== 'off');

export const setSingleKeys = (isOn: boolean): void => {
  store(KEY, isOn ? undefined : 'off');
  singleKeys.set(isOn);
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]') !== null;

/**
 * Whether a key pressed now is the page's: nothing is typed into, no dialog or menu is open, and letters are not switched
 * off. Escape, Enter and arrows always are.
 */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  (event.key.length > 1 || singleKeys.get()) &&
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isTyping(event.target) &&
  document.querySelector('dialog[open], [role=dialog], [role=menu]') === null;
