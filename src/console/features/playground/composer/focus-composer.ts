import type { SyntheticEvent } from 'react';

/**
 * A button that goes with what it acts on would leave the keyboard nowhere: it goes on where one writes. Not after a tap,
 * which would open the keyboard of a phone.
 */
export const focusComposer = ({ currentTarget }: SyntheticEvent): void => {
  if (currentTarget.matches(':focus-visible'))
    document.querySelector<HTMLElement>('.composer .composer-text')?.focus();
};

/** Keyboards on a screen have no Shift+Enter: there Enter breaks the line, and the button sends. */
export const onScreen = matchMedia('(hover: none) and (pointer: coarse)');

/**
 * Gives the focus to the box where one writes: from the start, and after a message was sent by its button. Not if a dialog is
 * open, or the keyboard of a phone would cover the page.
 */
export const focusToWrite = (box: HTMLElement | null): void => {
  if (!onScreen.matches && document.activeElement?.closest('[role="dialog"], dialog') === null) box?.focus();
};
