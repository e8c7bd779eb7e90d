import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { afterFrame } from '../../lib/browser/after-frame.ts';

/** Entries drawn at once: few enough not to delay typing or scrolling. */
const STEP = 6;
/** Entries drawn ahead of the visible ones: a site may offer thousands of models. */
const AHEAD = 24;

interface GrowingProps {
  /** Identifies the list: another one starts from the beginning. */
  readonly of: string;
  readonly count: number;
  /** Receives the number of drawn entries. */
  readonly children: (drawn: number) => ReactNode;
}

/** Draws the first entries of a list, the next ones step by step, and more when the end comes into view. */
export const Growing = ({ of, count, children }: GrowingProps) => {
  const first = { of, drawn: STEP, wanted: AHEAD };
  const [before, setGrown] = useState(first);
  const now = before.of === of ? before : first;
  if (now !== before) setGrown(now);
  const { drawn, wanted } = now;
  const end = useRef<HTMLDivElement>(null);
  const isGrowing = drawn < Math.min(count, wanted);
  const isWhole = drawn >= count;
  useEffect(() => {
    if (!isGrowing) return undefined;
    return afterFrame(() =>
      startTransition(() => setGrown((grown) => ({ ...grown, drawn: grown.drawn + STEP }))),
    );
  }, [of, isGrowing, drawn]);
  useEffect(() => {
    const mark = end.current;
    if (mark === null || isWhole || isGrowing) return undefined;
    const seen = new IntersectionObserver(
      ([entry]) =>
        entry?.isIntersecting === true && setGrown((grown) => ({ ...grown, wanted: grown.drawn + AHEAD })),
      { rootMargin: '400px' },
    );
    seen.observe(mark);
    return () => seen.disconnect();
  }, [isWhole, isGrowing]);
  return (
    <>
      {children(drawn)}
      <div ref={end} />
    </>
  );
};
