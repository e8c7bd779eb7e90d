import { useEffect, useState } from 'react';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

/** Rows that change their height in one step: all that are seen at once would be a tenth of a second on a slow machine. */
const STEP = 3;

export interface Turned {
  readonly isCompact: boolean;
  /** How many of the drawn rows have this density already. */
  readonly rows: number;
}

/** The next step until all rows have it, those that are not drawn with the last ones. */
export const turnedFurther = (turned: Turned, drawn: number): Turned => {
  const rows = turned.rows + STEP;
  return { ...turned, rows: rows < drawn ? rows : Infinity };
};

/** Whether a row is compact, by its place among the drawn ones. A change goes down the list, some rows with each frame
 * after that of the press. */
export const useTurnedRows = (
  isCompact: boolean,
  drawn: number,
): ((place: number | undefined) => boolean) => {
  const [before, setTurned] = useState<Turned>({ isCompact, rows: Infinity });
  const turned = before.isCompact === isCompact ? before : { isCompact, rows: 0 };
  if (turned !== before) setTurned(turned);
  const isOver = turned.rows === Infinity;
  useEffect(
    () => (isOver ? undefined : afterFrame(() => setTurned((latest) => turnedFurther(latest, drawn)))),
    [isOver, turned.rows, drawn],
  );
  return (place = Infinity) => (isOver || place < turned.rows) === isCompact;
};
