import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useSiteStatus } from '../lib/site-status.ts';

interface Turnstile {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
  remove(id: string): void;
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

let loading: Promise<Turnstile> | undefined;

const load = (): Promise<Turnstile> => {
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: SCRIPT, async: true });
    const fail = (): void => {
      loading = undefined;
      reject(new Error('the human check did not load'));
    };
    script.addEventListener('load', () => {
      const { turnstile } = globalThis as { readonly turnstile?: Turnstile };
      if (turnstile === undefined) fail();
      else resolve(turnstile);
    });
    script.addEventListener('error', fail);
    document.head.append(script);
  });
  return loading;
};

interface HumanCheck {
  /** False where the site asks for none. */
  readonly isOn: boolean;
  /** The answer; undefined until it is computed. The server accepts it once, so the next is computed right away. */
  readonly take: () => string | undefined;
  readonly widget: ReactNode;
}

/** Turnstile's widget, where the site has it switched on. */
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
    void load()
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
