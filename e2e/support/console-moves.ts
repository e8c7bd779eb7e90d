import type { Page, Request } from 'playwright-core';

/**
 * Shows another page of the console as a click on its link does, and waits until the page before is gone. The console stays
 * loaded, which costs a third of loading it anew. It does not read again what it has just read, so a journey that changed
 * something must load the page instead. Not to be used while another page is loading.
 */
export const moveTo = async (page: Page, path: string): Promise<void> => {
  const isLoaded = await page.evaluate(() => document.getElementById('root') !== null);
  if (!isLoaded) {
    await page.goto(path);
    // Parts of the frame load after the page.
    await page.waitForLoadState('networkidle');
    return;
  }
  await page.evaluate((to) => {
    const isElsewhere = new URL(to, location.href).pathname !== location.pathname;
    if (isElsewhere) document.querySelector('main')?.firstElementChild?.setAttribute('data-left', '');
    history.pushState({}, '', to);
  }, path);
  await page.locator('[data-left]').waitFor({ state: 'detached' });
};

interface Requests {
  /** Requests that have not ended. */
  readonly open: Set<Request>;
  begun: number;
}

const requestsOf = new WeakMap<Page, Requests>();

/** Counts the requests of a page from now on, for `settled`. */
export const watchRequests = (page: Page): void => {
  const requests: Requests = { open: new Set(), begun: 0 };
  requestsOf.set(page, requests);
  page.on('request', (request) => {
    // The browser does not always report the end of requests of the page before.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.open.clear();
    requests.begun += 1;
    requests.open.add(request);
  });
  const ended = (request: Request): void => void requests.open.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
};

const STILL_LOOKS = 15;
/** As long as a frame. Asking for frames makes the browser draw each of them, also where nothing has changed. */
const LOOK_MS = 16;
const LOADING = '[aria-busy=true], .skeleton, .skeleton-row';

/**
 * Waits until a page is there, nothing of it says that it is loading, and nothing was added or taken away for as long as some
 * frames, nor in the frame after them.
 */
const still = (page: Page): Promise<void> =>
  page.evaluate(
    ({ looks, loading, lookMs }) =>
      new Promise<void>((resolve) => {
        let left = looks;
        let changed = false;
        const observer = new MutationObserver(() => (changed = true));
        observer.observe(document, { subtree: true, childList: true, characterData: true });
        const look = (): void => {
          const isLoading =
            document.querySelector('main') === null || document.querySelector(loading) !== null;
          left = changed || isLoading ? looks : left - 1;
          changed = false;
          if (left > 1) return void setTimeout(look, lookMs);
          if (left === 1) return void requestAnimationFrame(look);
          observer.disconnect();
          resolve();
        };
        requestAnimationFrame(look);
      }),
    { looks: STILL_LOOKS, loading: LOADING, lookMs: LOOK_MS },
  );

/** Waits until the page of a visit shows all that it loads: no request is open, and it is still. */
export const settled = async (page: Page): Promise<void> => {
  const requests = requestsOf.get(page);
  if (requests === undefined) throw new Error('settled is for pages of a visit');
  for (;;) {
    const { begun } = requests;
    await still(page);
    if (requests.open.size === 0 && requests.begun === begun) return;
  }
};
