import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  type AnyRoute,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isAdmin } from '#contract/may.ts';
import { ApiError } from './lib/server/api-error.ts';
import { loadTexts, t, withTexts } from './lib/text/i18n.ts';
import { sessionUser } from './lib/session/session.ts';
import { parseUrl, writeUrl, type UrlPatch } from './lib/browser/url-state.ts';
import { aliases, kitPage, landingPath, pages, type PageRow } from './routes.ts';
import { PageError } from './shell/frames/page-error.tsx';
import { Root } from './shell/root.tsx';

/** Every page accepts any query parameters and reads those it knows. */
const rootRoute = createRootRoute({
  component: Root,
  validateSearch: (search): UrlPatch => search as UrlPatch,
});

const frameRoute = (frame: PageRow['frame'], component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => rootRoute, id: `${frame}-frame`, component });

const frames = {
  console: frameRoute(
    'console',
    lazyRouteComponent(() => import('./shell/frames/console-frame.tsx')),
  ),
  front: frameRoute(
    'front',
    lazyRouteComponent(() => import('./shell/frames/front-frame.tsx')),
  ),
  card: frameRoute(
    'card',
    lazyRouteComponent(() => import('./shell/frames/card-frame.tsx')),
  ),
  either: frameRoute(
    'either',
    lazyRouteComponent(() => import('./shell/frames/either-frame.tsx')),
  ),
} satisfies Record<PageRow['frame'], AnyRoute>;

/** Console pages need a signed-in user; the sign-in page leads back to them. */
const guard = (access: PageRow['access'], href: string): void => {
  if (access === 'public') return;
  const user = sessionUser();
  if (user === undefined) throw redirect({ to: '/login', search: { redirect: href } });
  if (access === 'admin' && !isAdmin(user)) throw notFound();
};

const modules = import.meta.glob<{ default: ComponentType }>([
  './features/*/*-page.tsx',
  '!./features/kit/*',
]);
if (import.meta.env.DEV) modules['./features/kit/kit-page.tsx'] = () => import('./features/kit/kit-page.tsx');

/** Throws our own error: for the browser's message, the router would reload the whole site, which fails offline. */
const sayMissing = (): never => {
  throw new ApiError(t('error.pageMissing'), 0);
};

const pageModule = (key: PageRow['key']): (() => Promise<{ default: ComponentType }>) => {
  const load = modules[`./features/${key}/${key}-page.tsx`];
  if (load === undefined) throw new Error(`page ${key} has no file`);
  return () => load().catch(sayMissing);
};

const pageRoute = (row: PageRow): AnyRoute =>
  createRoute({
    getParentRoute: () => frames[row.frame],
    path: row.path,
    beforeLoad: ({ location }) => guard(row.access, location.href),
    // Texts and all parts of the code are loaded in parallel: `theme.js` knows them.
    loader: () => {
      dispatchEvent(new CustomEvent('page-asked', { detail: row.path }));
      return loadTexts(row.area).catch(sayMissing);
    },
    component: lazyRouteComponent(pageModule(row.key)),
  });

const aliasRoute = ([from, to]: readonly [string, string]): AnyRoute =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: from,
    beforeLoad: ({ params }) => {
      const { id = '' } = params as { id?: string };
      const [path = '', search = ''] = to.replace('$id', encodeURIComponent(id)).split('?');
      throw redirect({ to: landingPath(path), search: parseUrl(search) });
    },
  });

const MissingPage = lazyRouteComponent(
  withTexts('front', () => import('./features/not-found/not-found-page.tsx')),
);

const missingRoute = createRoute({
  getParentRoute: () => frames.front,
  path: '$',
  component: MissingPage,
});

const shownPages = import.meta.env.DEV ? [...pages, kitPage] : pages;

const childrenOf = (frame: PageRow['frame']): AnyRoute[] =>
  shownPages.filter((row) => row.frame === frame).map(pageRoute);

const routeTree = rootRoute.addChildren([
  frames.console.addChildren(childrenOf('console')),
  frames.front.addChildren([...childrenOf('front'), missingRoute]),
  frames.card.addChildren(childrenOf('card')),
  frames.either.addChildren(childrenOf('either')),
  ...Object.entries(aliases).map(aliasRoute),
]);

export const router = createRouter({
  routeTree,
  parseSearch: parseUrl,
  stringifySearch: (search) => writeUrl(search as UrlPatch),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
  // The element that scrolls instead of the window, except on phones; a new page starts at its top.
  scrollToTopSelectors: ['.sheet'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** A second entry for the page below a dialog, so that Back stays on our site. */
    isAgain?: boolean;
  }
}
