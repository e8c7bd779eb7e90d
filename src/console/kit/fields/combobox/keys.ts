import { type KeyboardEvent, useRef } from 'react';
import { isComposing } from '../../../lib/browser/enter-key.ts';

/** How long after a letter the next one belongs to the same word. */
const WORD_PAUSE_MS = 700;
/** How far Page Up and Page Down go. */
const PAGE = 9;

interface Actions {
  readonly isSearchable: boolean;
  readonly move: (step: number) => void;
  readonly first: () => void;
  readonly last: () => void;
  readonly enter: () => boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Marks the next choice that begins with these letters. */
  readonly seek: (letters: string) => void;
}

/** Whether the key did something here, and nothing else shall be done by it. */
const act = (key: string, actions: Actions): boolean => {
  switch (key) {
    case 'ArrowDown':
      actions.move(1);
      return true;
    case 'ArrowUp':
      actions.move(-1);
      return true;
    case 'PageDown':
      actions.move(PAGE);
      return true;
    case 'PageUp':
      actions.move(-PAGE);
      return true;
    case 'Enter':
      return actions.enter();
    default:
      if (key === 'Escape') actions.close();
      return !actions.isSearchable && actWithoutText(key, actions);
  }
};

/** Keys that would move or change the text, where there is one. */
const actWithoutText = (key: string, { first, last, toggle }: Actions): boolean => {
  if (key === 'Home') first();
  else if (key === 'End') last();
  else if (key === ' ') toggle();
  else return false;
  return true;
};

/** The word that is typed in a field without a text: each letter goes on with it, after a pause it begins again. */
const useWord = () => {
  const word = useRef({ letters: '', at: -Infinity });
  const isGoingOn = (at: number): boolean => at - word.current.at < WORD_PAUSE_MS;
  return {
    /** What was typed so far with this key, undefined if the key is none of a word. */
    with: ({ key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent): string | undefined => {
      const before = isGoingOn(timeStamp) ? word.current.letters : '';
      const isLetter = /^.$/u.test(key) && (key !== ' ' || before !== '');
      if (!isLetter || ctrlKey || metaKey || altKey) return undefined;
      // The same letter again goes to the next choice that begins with it.
      const letters = before === key ? key : before + key;
      word.current = { letters, at: timeStamp };
      return letters;
    },
  };
};

/** What the keys of a combobox do, as in the ARIA pattern. */
export const useComboboxKeys = (actions: Actions) => {
  const word = useWord();
  return (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const letters = actions.isSearchable ? undefined : word.with(event);
    if (letters !== undefined) actions.seek(letters);
    else if (!act(event.key, actions)) return;
    event.preventDefault();
  };
};
