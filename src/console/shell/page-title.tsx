import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { findPage } from '../routes.tsx';
import { useSystemName } from './logo.tsx';

/** The name of the page on the screen. */
export const usePageName = (): string => {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => state.location.pathname });
  return t(`page.${findPage(path)?.key ?? 'missing'}`);
};

/** The window's title: page and site. */
export const PageTitle = () => {
  const page = usePageName();
  const site = useSystemName();
  return <title>{`${page} - ${site}`}</title>;
};
