import { startTransition, useEffect, useEffectEvent, useState } from 'react';
import { afterFrame } from '../../../lib/browser/after-frame.ts';
import { useComboboxKeys } from './keys.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
  /** Additional text at the end of its line. */
  readonly note?: string | undefined;
}

/** Choices drawn as the list opens: as many as it shows at once. */
const FIRST = 10;
/** Choices drawn with each further step. */
const STEP = 20;
/** What is further away than this is drawn alone, without all that is between. */
const FAR = 60;
const NONE = -1;

/** The choices that are drawn: from one place to before another. */
interface Part {
  readonly from: number;
  readonly limit: number;
}

interface State extends Part {
  readonly isOpen: boolean;
  /** What was typed since the list opened; undefined as long as the field shows what is chosen. */
  readonly search: string | undefined;
  /** The place of the choice that Enter takes. */
  readonly marked: number;
}

const CLOSED: State = { isOpen: false, search: undefined, marked: NONE, from: 0, limit: FIRST };

/** The part that shows this place too. */
const partWith = ({ from, limit }: Part, at: number): Part => {
  const around = { from: Math.max(0, at - FIRST), limit: at + FIRST };
  if (at < from - FAR || at > limit + FAR) return around;
  return { from: Math.min(from, around.from), limit: Math.max(limit, around.limit) };
};

const openedAt = (marked: number, chosenAt: number): State => ({
  ...CLOSED,
  isOpen: true,
  marked,
  ...partWith(CLOSED, Math.max(chosenAt, 0)),
});

const grown = (before: State, isUp: boolean): State =>
  isUp ? { ...before, from: Math.max(0, before.from - STEP) } : { ...before, limit: before.limit + STEP };

/** The next choice that can be taken, past the last one the first again. */
const nextOf = (choices: readonly Choice[], from: number, step: 1 | -1): number => {
  const { length } = choices;
  for (let tried = 1; tried <= length; tried += 1) {
    const at = (Math.max(from, step === 1 ? NONE : 0) + step * tried + length * 2) % length;
    if (choices[at]?.disabled !== true) return at;
  }
  return NONE;
};

/** Steps of one go round; larger ones end at the ends. */
const stepped = (choices: readonly Choice[], from: number, by: number): number => {
  const step = by > 0 ? 1 : -1;
  if (by === step) return nextOf(choices, from, step);
  const at = Math.min(Math.max(from + by, 0), choices.length - 1);
  return nextOf(choices, at - step, step);
};

/** The place of the next choice with these first letters. More letters of a word stay at a choice that fits them too. */
const beginningWith = (choices: readonly Choice[], letters: string, here: number): number | undefined => {
  const wanted = letters.toLowerCase();
  const start = letters.length === 1 ? here + 1 : Math.max(here, 0);
  return choices
    .keys()
    .map((at) => (at + start) % choices.length)
    .find((at) => choices[at]?.disabled !== true && choices[at]?.label.toLowerCase().startsWith(wanted));
};

export interface ComboboxOptions {
  readonly choices: readonly Choice[];
  /** The chosen one; '' where several are taken, one after the other. */
  readonly value: string;
  readonly onTake: (choice: Choice) => void;
  readonly isSearchable: boolean;
  /** The choices that fit a search, the best first. */
  readonly find: (search: string) => readonly Choice[];
  /** Whether Enter takes the best one of a search without an arrow key before it. */
  readonly takesBest: boolean;
  /** Whether the list stays open for the next one. */
  readonly takesSeveral?: boolean;
}

/** What a combobox shows, and what keys, letters and presses do. */
export const useCombobox = (options: ComboboxOptions) => {
  const { choices, value, isSearchable, find } = options;
  const [state, setState] = useState(CLOSED);
  const { isOpen, search } = state;
  const found = isOpen && search !== undefined ? find(search) : choices;
  // The last one may just have been taken.
  const marked = Math.min(state.marked, found.length - 1);
  const chosenAt = found.findIndex((choice) => choice.value === value);
  const text = search ?? choices.find((choice) => choice.value === value)?.label ?? value;

  const openNow = (at: number): void => setState(openedAt(at, chosenAt));
  // The field shows that it was pressed before its list is drawn. Keys wait for the list: the next one moves in it.
  const open = (): void => startTransition(() => openNow(NONE));
  const close = (): void => setState((before) => (before.isOpen ? CLOSED : before));
  const type = (typed: string): void =>
    setState({
      ...CLOSED,
      isOpen: true,
      search: typed,
      marked: options.takesBest && typed.trim() !== '' ? 0 : NONE,
    });
  const grow = (isUp = false): void =>
    startTransition(() => setState((before) => (before.isOpen ? grown(before, isUp) : before)));
  const growLater = useEffectEvent(() => afterFrame(grow));
  // What is below the edge of the list follows when it is seen.
  useEffect(() => (isOpen ? growLater() : undefined), [isOpen]);
  const take = (choice: Choice): void => {
    if (choice.disabled === true) return;
    if (options.takesSeveral !== true) close();
    // The next one is where this one was, unless the search that found it is over.
    else if (search !== undefined) setState({ ...CLOSED, isOpen: true });
    options.onTake(choice);
  };
  const mark = (at: number): void => setState({ ...state, isOpen: true, marked: at, ...partWith(state, at) });
  const here = marked === NONE && search === undefined ? chosenAt : marked;
  const enter = (): boolean => {
    const choice = isOpen ? found[marked] : undefined;
    if (choice !== undefined) take(choice);
    else if (!isSearchable && !isOpen) openNow(chosenAt);
    else return false;
    return true;
  };
  const onKeyDown = useComboboxKeys({
    isSearchable,
    move: (by) => (isOpen ? mark(stepped(found, here, by)) : openNow(chosenAt)),
    first: () => mark(nextOf(found, NONE, 1)),
    last: () => mark(nextOf(found, found.length, -1)),
    enter,
    toggle: () => {
      if (!isOpen) openNow(chosenAt);
      else if (!enter()) close();
    },
    close,
    seek: (letters) => {
      const at = beginningWith(found, letters, here);
      if (at !== undefined) mark(at);
      else if (!isOpen) openNow(chosenAt);
    },
  });
  return {
    ...state,
    marked,
    text,
    isShowingChoice: search === undefined && text !== '',
    found,
    chosenAt,
    open,
    close,
    type,
    take,
    grow,
    onKeyDown,
  };
};

export type ComboboxState = ReturnType<typeof useCombobox>;
