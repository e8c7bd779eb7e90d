import {
  IconBrandDiscord,
  IconBrandGithub,
  IconBrandWechat,
  IconKey,
  IconUsersGroup,
} from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from '../lib/i18n.ts';
import { openIdentityService, type OauthService } from '../lib/oauth.ts';
import { useSiteStatus, type SiteStatus } from '../lib/site-status.ts';
import { Button } from './button.tsx';
import { TelegramButton } from './telegram-button.tsx';

const WechatLogin = lazy(() => import('./wechat-login.tsx'));

const SIZE = 18;

const services: readonly {
  readonly service: OauthService;
  readonly name: string;
  readonly Icon: typeof IconKey;
  readonly isOn: (status: SiteStatus) => boolean;
}[] = [
  { service: 'github', name: 'GitHub', Icon: IconBrandGithub, isOn: (status) => status.github_oauth },
  { service: 'linuxdo', name: 'LinuxDO', Icon: IconUsersGroup, isOn: (status) => status.linuxdo_oauth },
  { service: 'discord', name: 'Discord', Icon: IconBrandDiscord, isOn: (status) => status.discord_enabled },
  { service: 'oidc', name: 'OIDC', Icon: IconKey, isOn: (status) => status.oidc_enabled },
];

interface ThirdPartyProps {
  readonly inviteCode?: string | undefined;
  /** A further way in that is ours, before those of others. */
  readonly own?: ReactNode;
}

/** Ways in by other services, those the site has switched on. */
export const ThirdParty = ({ inviteCode, own }: ThirdPartyProps) => {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const [isWechat, setWechat] = useState(false);
  if (status === undefined) return null;
  const offered = services.filter(({ isOn }) => isOn(status));
  if (own === undefined && offered.length === 0 && !status.wechat_login && !status.telegram_oauth)
    return null;
  return (
    <div className="third-party">
      <p className="third-party-or">
        <span>{t('thirdParty.or')}</span>
      </p>
      {own}
      {offered.map(({ service, name, Icon }) => (
        <Button
          key={service}
          wide
          icon={<Icon size={SIZE} />}
          onClick={() => void openIdentityService(service, inviteCode)}
        >
          {t('thirdParty.with', { name })}
        </Button>
      ))}
      {status.wechat_login && (
        <Button wide icon={<IconBrandWechat size={SIZE} />} onClick={() => setWechat(true)}>
          {t('thirdParty.with', { name: t('thirdParty.wechat') })}
        </Button>
      )}
      {status.telegram_oauth && <TelegramButton purpose="login" />}
      <Suspense>
        {isWechat && <WechatLogin inviteCode={inviteCode} onClose={() => setWechat(false)} />}
      </Suspense>
    </div>
  );
};
