import { isAdmin } from '#contract/may.ts';
import type { Area } from './lib/text/areas.ts';
import type { SessionUser } from './lib/session/session.ts';
import type { SiteStatus } from './lib/server/site-status.ts';

type FrontKey =
  | 'home'
  | 'pricing'
  | 'availability'
  | 'about'
  | 'login'
  | 'register'
  | 'oauth'
  | 'setup'
  | 'kit'
  | 'reset'
  | 'new-password'
  | 'shared-usage';
export type ConsoleKey =
  | 'dashboard'
  | 'connect'
  | 'settings'
  | 'playground'
  | 'tokens'
  | 'logs'
  | 'midjourney'
  | 'task'
  | 'channels'
  | 'live'
  | 'prices'
  | 'price-book'
  | 'users'
  | 'topup'
  | 'statements'
  | 'redemption'
  | 'chat';

interface MenuEntry {
  readonly group: 'workspace' | 'admin';
  /** Shown only while the site's status says so. */
  readonly when?: (status: SiteStatus) => boolean;
}

export interface PageRow {
  readonly path: string;
  /** The page is `features/<key>/<key>-page.tsx`; its name is `page.<key>` in `common.json`. */
  readonly key: FrontKey | ConsoleKey;
  /** Its texts: `locales/<language>/<area>.json`. */
  readonly area: Area;
  readonly access: 'public' | 'user' | 'admin';
  /**
   * `console`: with the side menu. `front`: for visitors. `card`: one small form. `either`: `console` for signed-in
   * users, else `front`.
   */
  readonly frame: 'console' | 'front' | 'card' | 'either';
  readonly menu?: MenuEntry;
  /** The page whose entry the menu marks, for one that has none of its own. */
  readonly under?: ConsoleKey;
}

const front = (key: FrontKey, path: string): PageRow => ({
  key,
  path,
  area: 'front',
  access: 'public',
  frame: 'front',
});
const card = (key: FrontKey, path: string): PageRow => ({ ...front(key, path), frame: 'card' });

/** A page of the console; its area has the name of its folder. */
const inside = (key: ConsoleKey, path: string, access: 'user' | 'admin', menu: MenuEntry): PageRow => ({
  key,
  path,
  area: key,
  access,
  frame: 'console',
  menu,
});

/** All pages, in menu order. A new page is one line here and one folder in `features`. */
export const pages: readonly PageRow[] = [
  front('home', '/'),
  { ...front('about', '/about'), area: 'about' },
  { ...front('pricing', '/pricing'), area: 'pricing', frame: 'either' },
  { ...front('availability', '/availability'), area: 'availability', frame: 'either' },
  // Opened by usage links.
  { ...front('shared-usage', '/shared-usage'), area: 'shared-usage' },
  card('login', '/login'),
  { ...card('register', '/register'), area: 'enter' },
  { ...card('oauth', '/oauth/$provider'), area: 'enter' },
  { ...card('reset', '/reset'), area: 'reset' },
  { ...card('new-password', '/user/reset'), area: 'reset' },
  { ...card('setup', '/setup'), area: 'enter' },
  inside('dashboard', '/detail', 'user', {
    group: 'workspace',
    when: (status) => status.enable_data_export,
  }),
  inside('playground', '/playground', 'user', { group: 'workspace' }),
  inside('tokens', '/token', 'user', { group: 'workspace' }),
  inside('connect', '/connect', 'user', { group: 'workspace' }),
  inside('logs', '/log', 'user', { group: 'workspace' }),
  inside('midjourney', '/midjourney', 'user', {
    group: 'workspace',
    when: (status) => status.enable_drawing,
  }),
  inside('task', '/task', 'user', {
    group: 'workspace',
    when: (status) => status.enable_task,
  }),
  // Public: visitors without a token are led to where one is created.
  { key: 'chat', path: '/chat/{-$id}', area: 'chat', access: 'public', frame: 'console' },
  { key: 'chat', path: '/chat2link', area: 'chat', access: 'user', frame: 'console' },
  inside('topup', '/topup', 'user', { group: 'workspace' }),
  // Linked from the wallet; admins may name another account in the address.
  {
    key: 'statements',
    path: '/statements',
    area: 'statements',
    access: 'user',
    frame: 'console',
    under: 'topup',
  },
  inside('settings', '/setting', 'user', { group: 'workspace' }),
  inside('channels', '/channel', 'admin', { group: 'admin' }),
  inside('live', '/live', 'admin', { group: 'admin' }),
  inside('prices', '/prices', 'admin', { group: 'admin' }),
  inside('price-book', '/price-book', 'admin', { group: 'admin' }),
  inside('redemption', '/redemption', 'admin', { group: 'admin' }),
  inside('users', '/user', 'admin', { group: 'admin' }),
];

/** Only in development: all components of the kit. */
export const kitPage: PageRow = front('kit', '/__kit');

/** Redirects of old and short addresses; `$id` is carried over. */
export const aliases: Readonly<Record<string, string>> = {
  '/console': '/detail',
  '/user/edit': '/user?edit=new',
  '/user/edit/$id': '/user?edit=$id',
  '/channel/add': '/channel?edit=new',
  '/channel/edit/$id': '/channel?edit=$id',
};

export const findPage = (path: string): PageRow | undefined => pages.find((page) => page.path === path);
/** Whether the menu marks the entry of `row` on the page at `path`, beside that of the page itself. */
export const isUnder = (row: PageRow, path: string): boolean => findPage(path)?.under === row.key;

export const hasPage = (path: string): boolean => findPage(path) !== undefined;

const isOpenTo = (page: PageRow, user: SessionUser): boolean => page.access !== 'admin' || isAdmin(user);

const isOn = ({ when }: NonNullable<PageRow['menu']>, status: SiteStatus | undefined): boolean =>
  when === undefined || (status !== undefined && when(status));

/** The entries of the side menu for this user, in order. */
export const menuFor = (
  user: SessionUser | undefined,
  status: SiteStatus | undefined,
): readonly PageRow[] => {
  if (user === undefined) return [];
  return pages.filter((page) => page.menu !== undefined && isOpenTo(page, user) && isOn(page.menu, status));
};

/** The start page of a user: the requested page, or the first in the menu. */
export const landingPath = (wanted: string): string => {
  if (hasPage(wanted)) return wanted;
  return pages.find((page) => page.menu?.group === 'workspace')?.path ?? '/';
};
