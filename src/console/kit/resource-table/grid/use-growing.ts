import { useEffect, useState } from 'react';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

/** Rows drawn in one step: as many as are visible, and few enough for a slow machine. */
const STEP = 10;

interface Grown {
  readonly ids: string;
  readonly count: number;
}

/** The number of drawn rows after a list has changed: those that were there stay, many new ones come step by step. */
export const countAfter = ({ ids, count }: Grown, next: readonly number[]): number => {
  const known = new Set(ids.split(',').slice(0, count));
  const fresh = next.slice(0, Math.max(count, STEP)).filter((id) => !known.has(String(id))).length;
  if (fresh > STEP) return STEP;
  return Math.min(next.length, Math.max(count, STEP));
};

/** The number of rows drawn so far: a hundred at once would delay typing. */
export const useGrowing = (ids: readonly number[]): number => {
  const [grown, setGrown] = useState<Grown>(() => ({
    ids: ids.join(','),
    count: Math.min(STEP, ids.length),
  }));
  const asked = ids.join(',');
  const now = asked === grown.ids ? grown : { ids: asked, count: countAfter(grown, ids) };
  if (now !== grown) setGrown(now);
  const isWhole = now.count >= ids.length;
  useEffect(() => {
    if (isWhole) return undefined;
    return afterFrame(() =>
      setGrown((before) => ({ ...before, count: Math.min(ids.length, before.count + STEP) })),
    );
  }, [isWhole, now.count, ids.length]);
  return now.count;
};
