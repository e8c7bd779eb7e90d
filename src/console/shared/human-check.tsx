import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../lib/server/api-error.ts';
import { useSiteStatus } from '../lib/server/site-status.ts';
import { toast } from '../lib/toasts.ts';

export interface HumanCheck {
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
  // In a dialog, its element exists only after the first effects.
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [answer, setAnswer] = useState<string>();
  const again = useRef<() => void>(() => undefined);
  useEffect(() => {
    if (siteKey === '' || place === null) return undefined;
    let remove = (): void => undefined;
    let isOver = false;
    let isTold = false;
    const start = async (): Promise<void> => {
      again.current = () => undefined;
      try {
        const { loadTurnstile, tellFailed } = await import('./turnstile.ts');
        const turnstile = await loadTurnstile();
        if (isOver) return;
        const forget = (): void => setAnswer(undefined);
        const id = turnstile.render(place, {
          sitekey: siteKey,
          callback: setAnswer,
          'expired-callback': forget,
          'error-callback': () => {
            forget();
            if (!isTold) tellFailed();
            isTold = true;
          },
        });
        again.current = () => turnstile.reset(id);
        remove = () => turnstile.remove(id);
      } catch (error) {
        if (isOver) return;
        toast('bad', messageOf(error));
        // When the form is sent the next time.
        again.current = () => void start();
      }
    };
    void start();
    return () => {
      isOver = true;
      remove();
    };
  }, [siteKey, place]);
  const take = useCallback((): string | undefined => {
    setAnswer(undefined);
    again.current();
    return answer;
  }, [answer]);
  return {
    isOn: siteKey !== '',
    take,
    widget: siteKey === '' ? null : <div ref={setPlace} className="human-check" />,
  };
};
