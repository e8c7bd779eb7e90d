import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useSiteStatus } from '../lib/site-status.ts';

interface HumanCheck {
  /** False if the site has no human check. */
  readonly isOn: boolean;
  /**
   * The answer; undefined until it is computed. The server accepts each answer once, so a new one is computed at once.
   */
  readonly take: () => string | undefined;
  readonly widget: ReactNode;
}

/** Turnstile's widget, if the site uses it. */
export const useHumanCheck = (): HumanCheck => {
  const status = useSiteStatus();
  const siteKey = status?.turnstile_check === true ? status.turnstile_site_key : '';
  const place = useRef<HTMLDivElement>(null);
  const [answer, setAnswer] = useState<string>();
  const again = useRef<() => void>(() => undefined);
  useEffect(() => {
    const { current } = place;
    if (siteKey === '' || current === null) return undefined;
    let remove = (): void => undefined;
    let isOver = false;
    void import('./turnstile.ts')
      .then(({ loadTurnstile }) => loadTurnstile())
      .then((turnstile) => {
        if (isOver) return;
        const forget = (): void => setAnswer(undefined);
        const id = turnstile.render(current, {
          sitekey: siteKey,
          callback: setAnswer,
          'expired-callback': forget,
          'error-callback': forget,
        });
        again.current = () => turnstile.reset(id);
        remove = () => turnstile.remove(id);
      })
      .catch(() => undefined);
    return () => {
      isOver = true;
      remove();
    };
  }, [siteKey]);
  const take = useCallback((): string | undefined => {
    setAnswer(undefined);
    again.current();
    return answer;
  }, [answer]);
  return {
    isOn: siteKey !== '',
    take,
    widget: siteKey === '' ? null : <div ref={place} className="human-check" />,
  };
};
