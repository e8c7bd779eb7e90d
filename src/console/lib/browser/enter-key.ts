import type { KeyboardEvent } from 'react';

/** Whether an input method is composing: its keys choose among candidates and are not meant for the page. */
export const isComposing = (event: KeyboardEvent): boolean =>
  // Safari ends the composition before it reports the key that ended it, and marks that key only by this number.
  event.nativeEvent.isComposing || event.keyCode === 229;

/** Whether this is an Enter that confirms the input, not one that picks a candidate of an input method. */
export const isEnter = (event: KeyboardEvent): boolean => event.key === 'Enter' && !isComposing(event);
