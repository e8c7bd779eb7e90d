import { t } from '../lib/text/i18n.ts';

interface Turnstile {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
  remove(id: string): void;
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

let loading: Promise<Turnstile> | undefined;

/** Loads Cloudflare's script, once; rejects where it does not load, and the next call tries again. */
export const loadTurnstile = (): Promise<Turnstile> => {
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: SCRIPT, async: true });
    const fail = (): void => {
      loading = undefined;
      reject(new Error(t('error.pageMissing')));
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
