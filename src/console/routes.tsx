import { IconFileText, IconKey, IconMessage2, IconRoute, type TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { isAdmin } from '#contract/may.ts';
import type { Area } from './lib/areas.ts';
import type { SessionUser } from './lib/session.ts';
import type { SiteStatus } from './lib/site-status.ts';

export type PageKey =
  | 'setup'
  | 'login'
  | 'register'
  | 'home'
  | 'kit'
  | 'playground'
  | 'tokens'
  | 'logs'
  | 'channels';

export interface PageRow {
  readonly path: string;
  /** Its name in `common.json` under `page`, and the frame's title. */
  readonly key: PageKey;
  /** Its texts: `locales/<language>/<area>.json`. */
  readonly area: Area;
  readonly page: () => Promise<{ default: ComponentType }>;
  readonly access: 'public' | 'user' | 'admin';
  /** `console`: the side menu and the sheet. `front`: what visitors see. `card`: one small form. */
  readonly frame: 'console' | 'front' | 'card';
  readonly menu?: {
    readonly group: 'workspace' | 'admin';
    readonly icon: TablerIcon;
    readonly when?: (status: SiteStatus) => boolean;
  };
}

/** Every page there is, in the order of the menu. A new page is one line here and one folder in `features`. */
export const pages: readonly PageRow[] = [
  {
    path: '/',
    key: 'home',
    area: 'front',
    access: 'public',
    frame: 'front',
    page: () => import('./features/home/home-page.tsx'),
  },
  {
    path: '/login',
    key: 'login',
    area: 'front',
    access: 'public',
    frame: 'card',
    page: () => import('./features/login/login-page.tsx'),
  },
  {
    path: '/register',
    key: 'register',
    area: 'front',
    access: 'public',
    frame: 'card',
    page: () => import('./features/register/register-page.tsx'),
  },
  {
    path: '/setup',
    key: 'setup',
    area: 'front',
    access: 'public',
    frame: 'card',
    page: () => import('./features/setup/setup-page.tsx'),
  },
  {
    path: '/playground',
    key: 'playground',
    area: 'playground',
    access: 'user',
    frame: 'console',
    menu: { group: 'workspace', icon: IconMessage2 },
    page: () => import('./features/playground/playground-page.tsx'),
  },
  {
    path: '/token',
    key: 'tokens',
    area: 'tokens',
    access: 'user',
    frame: 'console',
    menu: { group: 'workspace', icon: IconKey },
    page: () => import('./features/tokens/tokens-page.tsx'),
  },
  {
    path: '/log',
    key: 'logs',
    area: 'logs',
    access: 'user',
    frame: 'console',
    menu: { group: 'workspace', icon: IconFileText },
    page: () => import('./features/logs/logs-page.tsx'),
  },
  {
    path: '/channel',
    key: 'channels',
    area: 'channels',
    access: 'admin',
    frame: 'console',
    menu: { group: 'admin', icon: IconRoute },
    page: () => import('./features/channels/channels-page.tsx'),
  },
];

/** Old and short addresses, and where they lead; `$id` is carried over. */
export const aliases: Readonly<Record<string, string>> = {
  '/console': '/log',
  '/detail': '/log',
  '/channel/add': '/channel?edit=new',
  '/channel/edit/$id': '/channel?edit=$id',
};

export const findPage = (path: string): PageRow | undefined => pages.find((page) => page.path === path);
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

/** Where a user goes who asked for nothing in particular: the wanted page, or the first of the menu. */
export const landingPath = (wanted: string): string => {
  if (hasPage(wanted)) return wanted;
  return pages.find((page) => page.menu?.group === 'workspace')?.path ?? '/';
};
