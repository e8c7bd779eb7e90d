import {
  IconBrandDiscord,
  IconBrandGithub,
  IconBrandTelegram,
  IconBrandWechat,
  IconId,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { ServiceName } from '#contract/sign-in-services.ts';

/** The icon of each sign-in service. */
export const serviceIcons = {
  github: IconBrandGithub,
  linuxdo: IconUsersGroup,
  wechat: IconBrandWechat,
  telegram: IconBrandTelegram,
  discord: IconBrandDiscord,
  oidc: IconId,
} as const satisfies Record<ServiceName, typeof IconId>;
