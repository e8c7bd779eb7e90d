import {
  IconActivity,
  IconChartBar,
  IconFileText,
  IconHistory,
  IconKey,
  IconMessage2,
  IconMusic,
  IconPhoto,
  IconPlugConnected,
  IconRoute,
  IconSettings,
  IconTag,
  IconTicket,
  IconUsers,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import type { PageRow } from '../../routes.ts';

/** The icons of the menu. Apart from the routes, so that the sign-in page does not load them. */
export const menuIcons: Readonly<Partial<Record<PageRow['key'], TablerIcon>>> = {
  dashboard: IconChartBar,
  playground: IconMessage2,
  tokens: IconKey,
  connect: IconPlugConnected,
  logs: IconFileText,
  midjourney: IconPhoto,
  task: IconMusic,
  topup: IconWallet,
  settings: IconSettings,
  channels: IconRoute,
  live: IconActivity,
  prices: IconTag,
  'price-book': IconHistory,
  redemption: IconTicket,
  users: IconUsers,
};
