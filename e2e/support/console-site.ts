import type { Browser, Page } from 'playwright-core';
import { sharedBrowser } from './chromium.ts';
import {
  type ConsoleVisit,
  type LookOptions,
  visitAsStranger,
  visitConsole,
  type VisitOptions,
} from './console-visit.ts';
import { type Operator, rootPassword, setUp } from './operator.ts';
import { shortLived, startTollgate, type Tollgate } from './tollgate.ts';
import { takePort } from './windows.ts';

type Look = Omit<LookOptions, 'url'>;

/** A server for one file of journeys, with its super admin signed in to the console. */
export interface ConsoleSite {
  readonly tollgate: Tollgate;
  readonly url: string;
  /** The super admin as a caller of the API. */
  readonly operator: Operator;
  readonly browser: Browser;
  /** The super admin in the console. */
  readonly visit: ConsoleVisit;
  /** Their browser page. */
  readonly page: Page;
  /** Opens a further window for a user, by default the super admin. It closes with the site. */
  open(who?: Partial<Omit<VisitOptions, 'url'>>): Promise<ConsoleVisit>;
  /** Opens a window in which nobody is signed in. It closes with the site. */
  openForStranger(look?: Look): Promise<ConsoleVisit>;
  stop(): Promise<void>;
}

/** Starts the site and signs its super admin in. Defaults: English, light colours, a wide screen. */
export const startConsole = async (look: Look = {}): Promise<ConsoleSite> => {
  const { port, give } = await takePort();
  const [browser, tollgate] = await Promise.all([
    sharedBrowser(),
    // One relay: a second takes a third of a start, and what several do is tested where there are no pages.
    startTollgate({ nodeFlags: shortLived, env: { PORT: String(port), TOLLGATE_RELAYS: '1' } }),
  ]);
  const operator = await setUp(tollgate);
  const visits: ConsoleVisit[] = [];
  const open: ConsoleSite['open'] = async (who = {}) => {
    const root = { url: tollgate.url, username: 'root', password: rootPassword, isOwn: false };
    const visit = await visitConsole(browser, { ...root, ...who });
    visits.push(visit);
    return visit;
  };
  const openForStranger: ConsoleSite['openForStranger'] = async (who = {}) => {
    const visit = await visitAsStranger(browser, { url: tollgate.url, isOwn: false, ...who });
    visits.push(visit);
    return visit;
  };
  const visit = await open(look);
  return {
    tollgate,
    url: tollgate.url,
    operator,
    browser,
    visit,
    page: visit.page,
    open,
    openForStranger,
    stop: async () => {
      for (const { close } of visits) await close();
      await tollgate.stop();
      give();
    },
  };
};
