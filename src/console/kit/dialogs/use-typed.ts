import { type FocusEvent, type FormEvent, useRef, useState } from 'react';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** What is searched for, and codes and passwords, which are soon out of date or typed anew anyway. */
const NOTHING_LOST = [
  '[readonly]',
  '[type=search]',
  '[type=checkbox]',
  '[type=radio]',
  '[type=range]',
  '[type=password]',
  '[autocomplete$=password]',
  '[autocomplete=one-time-code]',
].join();

const isText = (target: EventTarget): target is TextControl =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  !target.matches(NOTHING_LOST);

/**
 * Whether a text was typed in a box and still stands there, as its fields themselves know it: no dialog forgets to say so.
 * @returns the state at the last key, how to ask for it now, and what the box listens with
 */
export const useTyped = () => {
  const [isTyped, setTyped] = useState(false);
  const before = useRef(new WeakMap<TextControl, string>());
  const typed = useRef(new Set<TextControl>());
  const isTypedNow = (): boolean =>
    [...typed.current].some((one) => one.isConnected && one.value !== (before.current.get(one) ?? ''));
  /** React tells of what happens in a dialog above this one, too. */
  const field = ({ currentTarget, target }: FocusEvent | FormEvent): TextControl | undefined =>
    isText(target) && currentTarget.contains(target) ? target : undefined;
  const onFocus = (event: FocusEvent): void => {
    const one = field(event);
    if (one !== undefined && !before.current.has(one)) before.current.set(one, one.value);
  };
  const onChange = (event: FormEvent): void => {
    const one = field(event);
    if (one === undefined) return;
    typed.current.add(one);
    setTyped(isTypedNow());
  };
  return { isTyped, isTypedNow, listeners: { onFocus, onChange } };
};
