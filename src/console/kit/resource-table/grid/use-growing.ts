import { useEffect, useState } from 'react';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

/** Rows drawn at once: as many as fit the eye, and few enough that a slow machine is not busy for long. */
const STEP = 10;

interface Grown {
  readonly ids: string;
  readonly count: number;
}

/** How many rows are drawn when a list changes: those that were there stay, many new ones come step by step. */
export const countAfter = ({ ids, count }: Grown, next: readonly number[]): number => {
  const known = new Set(ids.split(',').slice(0, count));
  const fresh = next.slice(0, Math.max(count, STEP)).filter((id) => !known.has(String(id))).length;
  if (fresh > STEP) return STEP;
  return Math.min(next.length, Math.max(count, STEP));
};

/** How many of the rows are drawn by now: a hundred at once would hold up whoever is typing. */
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
