import type { SyntheticEvent } from 'react';

/**
 * A button that goes with what it acts on would leave the keyboard nowhere: it goes on where one writes. Not after a tap,
 * which would open the keyboard of a phone.
 */
export const focusComposer = ({ currentTarget }: SyntheticEvent): void => {
  if (currentTarget.matches(':focus-visible'))
    document.querySelector<HTMLElement>('.composer .composer-text')?.focus();
};
