import { startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../../lib/browser/after-frame.ts';

/**
 * How many sections of a long form are drawn so far: one more after each frame. The first fields are there at once, and
 * nobody who types or scrolls waits for the rest, which is still out of sight.
 */
export const useSections = (all: number): number => {
  const [drawn, setDrawn] = useState(1);
  useEffect(
    () => (drawn < all ? afterFrame(() => startTransition(() => setDrawn(drawn + 1))) : undefined),
    [drawn, all],
  );
  return drawn;
};
