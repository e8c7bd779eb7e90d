import { loadTexts, textsOf } from '../lib/text/i18n.ts';
import { toast } from '../lib/toasts.ts';

interface Turnstile {
  render(place: HTMLElement, options: Record<string, unknown>): string;
  reset(id: string): void;
  remove(id: string): void;
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

let loading: Promise<Turnstile> | undefined;

const whyFailed = (): string => textsOf('enter')('human.failed');

/** The check ran and failed. Cloudflare's widget goes on trying by itself. */
export const tellFailed = (): void => toast('bad', whyFailed());

/** Loads Cloudflare's script, once; rejects where it does not load, and the next call tries again. */
export const loadTurnstile = async (): Promise<Turnstile> => {
  await loadTexts('enter').catch(() => undefined);
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: SCRIPT, async: true });
    const fail = (): void => {
      loading = undefined;
      reject(new Error(whyFailed()));
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
