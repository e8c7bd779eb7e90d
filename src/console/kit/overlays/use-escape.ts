import { useEffect, useEffectEvent, useState } from 'react';

/** The open layers that Escape closes, the topmost last. */
const layers: object[] = [];

/**
 * Escape closes only the topmost open layer: a question above a form closes, the form stays. Returns whether this is the
 * topmost.
 */
export const useEscape = (close: () => void, isOpen = true): (() => boolean) => {
  const closeNow = useEffectEvent(close);
  const [layer] = useState(() => ({}));
  useEffect(() => {
    if (!isOpen) return undefined;
    layers.push(layer);
    const hear = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.isComposing || layers.at(-1) !== layer) return;
      // An open list of choices closes itself first.
      const isTaken = event.target instanceof Element && event.target.matches('[data-list-open]');
      if (!isTaken) closeNow();
    };
    addEventListener('keydown', hear, true);
    return () => {
      removeEventListener('keydown', hear, true);
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [isOpen, layer]);
  return () => layers.at(-1) === layer;
};
