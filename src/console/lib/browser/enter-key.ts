import type { KeyboardEvent } from 'react';

/** Whether an input method is at work: its keys choose among its candidates, and are nothing for the page. */
export const isComposing = (event: KeyboardEvent): boolean =>
  // Safari ends the composition before it tells of the key that did, and says so by this number only.
  event.nativeEvent.isComposing || event.keyCode === 229;

/** Whether this is an Enter that takes what was typed, not one that takes a candidate of an input method. */
export const isEnter = (event: KeyboardEvent): boolean => event.key === 'Enter' && !isComposing(event);
