import { Suspense, useState, type ReactNode } from 'react';
import { oauthNames, signInServices } from '#contract/sign-in-services.ts';
import { late } from '../kit/late.tsx';
import { useTranslation, withTexts } from '../lib/text/i18n.ts';
import { openIdentityService } from '../lib/session/oauth.ts';
import { useSiteStatus } from '../lib/server/site-status.ts';
import { serviceIcons } from './service-icons.ts';
import { Button } from '../kit/button.tsx';
import { TelegramButton } from './telegram-button.tsx';

const WechatLogin = late(withTexts('enter', () => import('./wechat-login.tsx')));

const SIZE = 18;

interface ThirdPartyProps {
  readonly inviteCode?: string | undefined;
  /** Our own further way to sign in, shown before the services. */
  readonly own?: ReactNode;
}

/** Sign-in by the services that the site has switched on. */
export const ThirdParty = ({ inviteCode, own }: ThirdPartyProps) => {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const [isWechat, setWechat] = useState(false);
  if (status === undefined) return null;
  const offered = oauthNames.filter((name) => status[signInServices[name].status]);
  if (own === undefined && offered.length === 0 && !status.wechat_login && !status.telegram_oauth)
    return null;
  return (
    <div className="third-party">
      <p className="third-party-or">
        <span>{t('thirdParty.or')}</span>
      </p>
      {own}
      {offered.map((service) => {
        const Icon = serviceIcons[service];
        return (
          <Button
            key={service}
            wide
            icon={<Icon size={SIZE} />}
            onClick={() => void openIdentityService(service, inviteCode)}
          >
            {t('thirdParty.with', { name: signInServices[service].name })}
          </Button>
        );
      })}
      {status.wechat_login && (
        <Button wide icon={<serviceIcons.wechat size={SIZE} />} onClick={() => setWechat(true)}>
          {t('thirdParty.wechat')}
        </Button>
      )}
      {status.telegram_oauth && <TelegramButton purpose="login" />}
      <Suspense>
        {isWechat && <WechatLogin inviteCode={inviteCode} onClose={() => setWechat(false)} />}
      </Suspense>
    </div>
  );
};
