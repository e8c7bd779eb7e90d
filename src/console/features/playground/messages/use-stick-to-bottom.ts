import { type RefObject, useEffect, useRef, useState } from 'react';

const AT_BOTTOM_PX = 12;

interface Stick {
  /** For the scrolling element; its first child grows. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The reader has scrolled up, so automatic scrolling is off. */
  readonly isAway: boolean;
  readonly toBottom: () => void;
}

/** Scrolls with new text until the reader scrolls up, and again once the reader reaches the end. */
export const useStickToBottom = (): Stick => {
  const box = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);

  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (!element || !content) return undefined;
    let isFollowing = true;
    let lastTop = 0;
    const follow = (): void => {
      if (isFollowing) element.scrollTop = element.scrollHeight;
    };
    const look = (): void => {
      const rest = element.scrollHeight - element.clientHeight - element.scrollTop;
      if (rest <= AT_BOTTOM_PX) isFollowing = true;
      else if (element.scrollTop < lastTop) isFollowing = false;
      lastTop = element.scrollTop;
      setAway(!isFollowing);
    };
    const growth = new ResizeObserver(follow);
    growth.observe(content);
    growth.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      growth.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);

  const toBottom = (): void => box.current?.scrollTo({ top: box.current.scrollHeight, behavior: 'instant' });
  return { box, isAway, toBottom };
};
