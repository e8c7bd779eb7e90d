import { expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { SessionUser } from './lib/session/session.ts';
import type { SiteStatus } from './lib/server/site-status.ts';
import { findPage, isUnder, menuFor, pages } from './routes.ts';

const user = (rank: number): SessionUser => ({
  id: 1,
  username: 'ada',
  display_name: '',
  role: rank,
  status: 1,
  group: 'default',
});
const site = (on: boolean): SiteStatus =>
  ({ enable_data_export: on, enable_drawing: on, enable_task: on }) as SiteStatus;
const menu = (rank: number, on: boolean): string[] => menuFor(user(rank), site(on)).map(({ path }) => path);

const always = ['/playground', '/token', '/connect', '/log', '/topup', '/setting'];
const switched = ['/detail', '/midjourney', '/task'];
/** Led to from other pages. */
const unlisted = ['/statements', '/chat2link'];
const forAdmins = ['/channel', '/live', '/prices', '/price-book', '/redemption', '/user'];

it('dashboard, drawing and tasks are in the menu while the site has them, channels, codes and users for admins', () => {
  expect(menu(role.user, false)).toEqual(always);
  expect(menu(role.user, true).toSorted()).toEqual([...always, ...switched].toSorted());
  expect(menu(role.admin, false)).toEqual([...always, ...forAdmins]);
  expect(menu(role.root, true).toSorted()).toEqual([...always, ...switched, ...forAdmins].toSorted());
});

it('visitors have no menu, and optional pages are hidden until the site has answered', () => {
  expect(menuFor(undefined, site(true))).toEqual([]);
  expect(menuFor(user(role.user), undefined).map(({ path }) => path)).toEqual(always);
});

it('every page of the specification exists, with its access', () => {
  const open = [
    '/',
    '/login',
    '/register',
    '/reset',
    '/oauth/$provider',
    '/pricing',
    '/about',
    '/chat/{-$id}',
    '/shared-usage',
  ];
  expect(pages.filter(({ access }) => access === 'public').map(({ path }) => path)).toEqual(
    expect.arrayContaining(open),
  );
  const closed = pages.filter(({ access }) => access !== 'public').map(({ path }) => path);
  expect(closed.toSorted()).toEqual([...always, ...switched, ...unlisted, ...forAdmins].toSorted());
});

it('a page without an entry in the menu says under which it is, so that a reader knows where they are', () => {
  const inMenu = pages.filter(({ menu }) => menu !== undefined);
  const marked = unlisted.map((path) => inMenu.filter((row) => isUnder(row, path)).map(({ key }) => key));
  // The chats have links of their own, below the entries.
  expect(marked).toEqual([['topup'], []]);
  expect(inMenu.filter((row) => isUnder(row, findPage('/topup')?.path ?? ''))).toEqual([]);
});
