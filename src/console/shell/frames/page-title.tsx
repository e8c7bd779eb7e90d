import { type RouterState, useRouterState } from '@tanstack/react-router';
import { useTranslation } from '../../lib/text/i18n.ts';
import { findPage, type PageRow } from '../../routes.ts';
import { useSystemName } from './logo.tsx';

/** The declared path of the current page; undefined if this user has no such page. */
const pagePath = ({ matches }: RouterState): string | undefined => {
  const match = matches.at(-1);
  return matches.some(({ status }) => status === 'notFound') ? undefined : match?.fullPath;
};

/** The key of the current page. */
export const usePageKey = (): PageRow['key'] | undefined => {
  // Compared by pattern, not by address: /chat/2 is the chat page.
  const path = useRouterState({ select: pagePath });
  return path === undefined ? undefined : findPage(path)?.key;
};

/** The name of the current page. */
export const usePageName = (): string => {
  const { t } = useTranslation();
  return t(`page.${usePageKey() ?? 'missing'}`);
};

/** Sets the window's title: page and site. */
export const PageTitle = () => {
  const page = usePageName();
  const site = useSystemName();
  return <title>{`${page} - ${site}`}</title>;
};
