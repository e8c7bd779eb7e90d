import { startTransition, useEffect, useState } from 'react';
import { afterFrame } from '../../../lib/browser/after-frame.ts';

/** Rows drawn in one step, unless they are large: as many as are visible, and few enough for a slow machine. */
const STEP = 10;

interface Grown {
  readonly ids: string;
  readonly count: number;
}

/** The number of drawn rows after a list has changed: those that were there stay, many new ones come step by step. */
export const countAfter = ({ ids, count }: Grown, next: readonly number[], step = STEP): number => {
  const known = new Set(ids.split(',').slice(0, count));
  const seen = next.slice(0, Math.max(count, step));
  const fresh = seen.filter((id) => !known.has(String(id))).length;
  if (fresh > STEP || fresh === seen.length) return Math.min(next.length, step);
  return Math.min(next.length, Math.max(count, step));
};

/** The number of rows drawn so far: a hundred at once would delay typing. */
export const useGrowing = (ids: readonly number[], step = STEP): number => {
  const [grown, setGrown] = useState<Grown>(() => ({
    ids: ids.join(','),
    count: Math.min(step, ids.length),
  }));
  const asked = ids.join(',');
  const now = asked === grown.ids ? grown : { ids: asked, count: countAfter(grown, ids, step) };
  if (now !== grown) setGrown(now);
  const isWhole = now.count >= ids.length;
  useEffect(() => {
    if (isWhole) return undefined;
    return afterFrame(() =>
      startTransition(() =>
        setGrown((before) => ({ ...before, count: Math.min(ids.length, before.count + step) })),
      ),
    );
  }, [isWhole, now.count, ids.length, step]);
  return now.count;
};
