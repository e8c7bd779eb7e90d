import { useSyncExternalStore } from 'react';

/** A value that components subscribe to. Used for session, site status, theme and toasts. */
export interface Signal<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly watch: (listener: () => void) => () => void;
}

/** Creates a signal. Every `set` calls all listeners, even with an equal value. */
export const signal = <Value>(initial: Value): Signal<Value> => {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The value of a signal; renders again when it changes. */
export const useSignal = <Value>(source: Signal<Value>): Value =>
  useSyncExternalStore(source.watch, source.get);
