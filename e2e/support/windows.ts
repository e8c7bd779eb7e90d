import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/**
 * Browser windows that one journey after the other uses. What a window has loaded and compiled stays with it, so that the next
 * journey's first page costs half of what it costs in a new window. Nothing else stays: neither cookies nor storage nor tabs.
 */
export interface Window {
  readonly context: BrowserContext;
  /** A new tab of it. */
  readonly page: Page;
  /** Sets values in the site's storage. */
  store(values: Readonly<Record<string, string>>): Promise<void>;
  /** Gives it back. */
  close(): Promise<void>;
}

export interface WindowOptions {
  /** The site that is visited, `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly isPhone: boolean;
  /** A window for this journey only, which changes more than its tab: clock, network, scripts or routes of all tabs. */
  readonly isOwn: boolean;
}

interface Kept {
  readonly context: BrowserContext;
  /** A tab on a file of the site. While it is open the browser keeps the process of its site, and what that has loaded. */
  readonly anchor: Page;
}

/** Those of a browser that nobody uses, by site and size. */
const idleOf = new WeakMap<Browser, Map<string, Kept[]>>();

export const openWindow = async (browser: Browser, options: WindowOptions): Promise<Window> => {
  const { url, isPhone, isOwn } = options;
  const idle = idleOf.get(browser) ?? new Map<string, Kept[]>();
  idleOf.set(browser, idle);
  const kind = `${url} ${isPhone ? 'phone' : 'desk'}`;
  const kept = (isOwn ? undefined : idle.get(kind)?.pop()) ?? (await newWindow(browser, url, isPhone));
  const { context, anchor } = kept;
  const giveBack = async (): Promise<void> => {
    if (isOwn) return context.close();
    for (const tab of context.pages()) if (tab !== anchor) await tab.close();
    await context.clearCookies();
    await anchor.evaluate(forget);
    idle.set(kind, [...(idle.get(kind) ?? []), kept]);
  };
  let closing: Promise<void> | undefined;
  return {
    context,
    page: await context.newPage(),
    store: (values) => anchor.evaluate(fill, values),
    close: () => (closing ??= giveBack()),
  };
};

/** Asks for reduced motion, because animation frames cost processor time. */
const newWindow = async (browser: Browser, url: string, isPhone: boolean): Promise<Kept> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    hasTouch: isPhone,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const anchor = await context.newPage();
  await anchor.goto('/theme.js');
  return { context, anchor };
};

const fill = (values: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
};

const forget = async (): Promise<void> => {
  localStorage.clear();
  for (const { name = '' } of await indexedDB.databases())
    await new Promise<void>((resolve, reject) => {
      const removal = indexedDB.deleteDatabase(name);
      removal.addEventListener('success', () => resolve());
      removal.addEventListener('error', () => reject(new Error(`${name} cannot be deleted`)));
    });
};

/** Ports of sites that have stopped: the next site at the same address finds the windows of the last. */
const ports: number[] = [];

/** A port for a site, which `give` takes back. Below those that systems hand out by themselves, so that it stays free meanwhile. */
export const takePort = async (): Promise<{ port: number; give(): void }> => {
  const port = ports.pop() ?? (await unusedPort());
  return { port, give: () => void ports.push(port) };
};

const LOWEST_PORT = 20_000;
const PORTS = 10_000;

const unusedPort = async (): Promise<number> => {
  const port = LOWEST_PORT + Math.floor(Math.random() * PORTS);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return unusedPort();
  server.close();
  await once(server, 'close');
  return port;
};
