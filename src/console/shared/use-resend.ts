import { useEffect, useState } from 'react';

/** Source: specification, constants. */
const LOCKED_SECONDS = 30;

/** The seconds until another mail may be requested: 0 at first, counted down after `lock`. */
export const useResend = () => {
  const [locked, setLocked] = useState(0);
  useEffect(() => {
    if (locked <= 0) return undefined;
    const timer = setTimeout(() => setLocked(locked - 1), 1000);
    return () => clearTimeout(timer);
  }, [locked]);
  return { locked, lock: () => setLocked(LOCKED_SECONDS) };
};
