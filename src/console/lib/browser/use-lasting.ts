import { useEffect, useState } from 'react';

/** Whether something has been true for that long; shorter states are not worth mentioning. */
export const useLasting = (ms: number, isSo = true): boolean => {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [isSo, ms]);
  return isSo && lasts;
};
