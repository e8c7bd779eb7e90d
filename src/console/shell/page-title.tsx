import { type RouterState, useRouterState } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { findPage, type PageRow } from '../routes.tsx';
import { useSystemName } from './logo.tsx';

/** The path of the page on the screen as it is declared; undefined where there is none for this reader. */
const pagePath = ({ matches }: RouterState): string | undefined => {
  const match = matches.at(-1);
  return matches.some(({ status }) => status === 'notFound') ? undefined : match?.fullPath;
};

/** The key of the page on the screen. */
export const usePageKey = (): PageRow['key'] | undefined => {
  // The pattern of the page, not its address: /chat/2 is the chat.
  const path = useRouterState({ select: pagePath });
  return path === undefined ? undefined : findPage(path)?.key;
};

/** The name of the page on the screen. */
export const usePageName = (): string => {
  const { t } = useTranslation();
  return t(`page.${usePageKey() ?? 'missing'}`);
};

/** The window's title: page and site. */
export const PageTitle = () => {
  const page = usePageName();
  const site = useSystemName();
  return <title>{`${page} - ${site}`}</title>;
};
