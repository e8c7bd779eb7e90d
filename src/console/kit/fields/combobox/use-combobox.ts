import { type KeyboardEvent, startTransition, useEffect, useEffectEvent, useState } from 'react';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

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
/** An open list is drawn as far as its chosen entry, if that is among these. */
const REACHED_AT_ONCE = 200;
const NONE = -1;

interface State {
  readonly isOpen: boolean;
  /** What was typed since the list opened; undefined as long as the field shows what is chosen. */
  readonly search: string | undefined;
  /** The place of the choice that Enter takes. */
  readonly marked: number;
  /** How many choices are drawn. */
  readonly limit: number;
}

const CLOSED: State = { isOpen: false, search: undefined, marked: NONE, limit: FIRST };

/** The next choice that can be taken, past the last one the first again. */
const nextOf = (choices: readonly Choice[], from: number, step: 1 | -1): number => {
  const { length } = choices;
  for (let tried = 1; tried <= length; tried += 1) {
    const at = (Math.max(from, step === 1 ? NONE : 0) + step * tried + length * 2) % length;
    if (choices[at]?.disabled !== true) return at;
  }
  return NONE;
};

interface Actions {
  readonly move: (step: 1 | -1) => void;
  readonly enter: () => boolean;
  readonly toggle: () => boolean;
  readonly close: () => void;
}

/** Whether the key did something here, and nothing else shall be done by it. */
const act = (key: string, { move, enter, toggle, close }: Actions): boolean => {
  switch (key) {
    case 'ArrowDown':
      move(1);
      return true;
    case 'ArrowUp':
      move(-1);
      return true;
    case 'Enter':
      return enter();
    case ' ':
      return toggle();
    default:
      if (key === 'Escape') close();
      return false;
  }
};

export interface ComboboxOptions {
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isSearchable: boolean;
  /** The choices that fit a search, the best first. */
  readonly find: (search: string) => readonly Choice[];
  /** Whether Enter takes the best one of a search without an arrow key before it. */
  readonly takesBest: boolean;
}

/** What a combobox shows, and what keys, letters and presses do. */
export const useCombobox = ({ choices, value, onChange, isSearchable, find, takesBest }: ComboboxOptions) => {
  const [state, setState] = useState(CLOSED);
  const { isOpen, search, marked, limit } = state;
  const found = isOpen && search !== undefined ? find(search) : choices;
  const chosenAt = found.findIndex((choice) => choice.value === value);
  const text = search ?? choices.find((choice) => choice.value === value)?.label ?? '';

  const open = (at = NONE): void => {
    const reached = chosenAt < REACHED_AT_ONCE ? chosenAt : 0;
    setState({ ...CLOSED, isOpen: true, marked: at, limit: FIRST + Math.max(0, reached) });
  };
  const close = (): void => setState((before) => (before.isOpen ? CLOSED : before));
  const type = (typed: string): void =>
    setState({ ...CLOSED, isOpen: true, search: typed, marked: takesBest ? 0 : NONE });
  const grow = (): void =>
    startTransition(() =>
      setState((before) => (before.isOpen ? { ...before, limit: before.limit + STEP } : before)),
    );
  const growLater = useEffectEvent(() => afterFrame(grow));
  // What is below the edge of the list follows when it is seen.
  useEffect(() => (isOpen ? growLater() : undefined), [isOpen]);
  const take = (choice: Choice): void => {
    if (choice.disabled === true) return;
    close();
    if (choice.value !== value) onChange(choice.value);
  };
  const move = (step: 1 | -1): void => {
    if (!isOpen) return open(chosenAt);
    const at = nextOf(found, marked === NONE && search === undefined ? chosenAt : marked, step);
    setState({ ...state, marked: at, limit: Math.max(limit, at + FIRST) });
  };
  const enter = (): boolean => {
    const choice = isOpen ? found[marked] : undefined;
    if (choice !== undefined) take(choice);
    else if (!isSearchable && !isOpen) open(chosenAt);
    else return false;
    return true;
  };
  const toggle = (): boolean => {
    if (isSearchable) return false;
    if (isOpen) close();
    else open(chosenAt);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.nativeEvent.isComposing && act(event.key, { move, enter, toggle, close }))
      event.preventDefault();
  };
  const isShowingChoice = search === undefined && text !== '';
  return {
    isOpen,
    text,
    isShowingChoice,
    found,
    chosenAt,
    marked,
    limit,
    open,
    close,
    type,
    take,
    grow,
    onKeyDown,
  };
};

export type ComboboxState = ReturnType<typeof useCombobox>;
