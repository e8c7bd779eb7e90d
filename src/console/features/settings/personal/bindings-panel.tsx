import { IconMail } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { unbindIdentity } from '#contract/api/people/oauth.ts';
import { isOauthName, type ServiceName, serviceNames, signInServices } from '#contract/sign-in-services.ts';
import { late } from '../../../kit/late.tsx';
import { Button } from '../../../kit/button.tsx';
import { confirm } from '../../../kit/dialogs/dialogs.ts';
import { serviceIcons } from '../../../shared/service-icons.ts';
import { call } from '../../../lib/server/api.ts';
import { useTranslation, withTexts } from '../../../lib/text/i18n.ts';
import { openIdentityService } from '../../../lib/session/oauth.ts';
import { useAction } from '../../../lib/server/query.ts';
import { useSiteStatus } from '../../../lib/server/site-status.ts';
import { Panel, PanelRow } from './panel.tsx';
import { SELF, type Self } from './use-self.ts';

const EmailDialog = late(withTexts('enter', () => import('./email-dialog.tsx')));
const WechatDialog = late(() => import('./wechat-dialog.tsx'));
const TelegramDialog = late(() => import('./telegram-dialog.tsx'));

const SIZE = 18;

type Opened = 'email' | 'wechat' | 'telegram' | undefined;

/** The user's accounts at other services: each can be bound and unbound. */
export const BindingsPanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const status = useSiteStatus();
  const [opened, setOpened] = useState<Opened>();
  const unbind = useAction({
    run: (service: ServiceName) => call(unbindIdentity, { params: { provider: service } }),
    done: t('bind.unbound'),
    refresh: [SELF],
  });
  const bind = (service: ServiceName): void => {
    if (isOauthName(service)) void openIdentityService(service);
    else setOpened(service);
  };
  const ask = async (service: ServiceName): Promise<void> => {
    const { name } = signInServices[service];
    const agreed = await confirm({
      title: t('bind.askTitle', { name }),
      text: t('bind.askText'),
      action: t('bind.unbind'),
      danger: true,
    });
    if (agreed) unbind.mutate(service);
  };
  const close = (): void => setOpened(undefined);
  // A service that the site does not offer is only shown to users who are still bound to it.
  const shown = serviceNames.filter((service) => {
    const { field, status: flag } = signInServices[service];
    return status?.[flag] === true || self[field] !== '';
  });
  return (
    <Panel title={t('bind.title')} about={t('bind.about')}>
      <PanelRow icon={<IconMail size={SIZE} />} name={t('bind.email')} value={self.email || t('bind.none')}>
        <Button size="small" aria-label={t('bind.emailDo')} onClick={() => setOpened('email')}>
          {t(self.email === '' ? 'bind.bind' : 'bind.change')}
        </Button>
      </PanelRow>
      {shown.map((service) => {
        const { name, field } = signInServices[service];
        const Icon = serviceIcons[service];
        const id = self[field];
        return (
          <PanelRow
            key={service}
            icon={<Icon size={SIZE} />}
            name={name}
            value={id !== '' ? id : t('bind.none')}
          >
            {id !== '' ? (
              <Button
                size="small"
                aria-label={`${t('bind.unbind')} ${name}`}
                onClick={() => void ask(service)}
              >
                {t('bind.unbind')}
              </Button>
            ) : (
              <Button size="small" aria-label={`${t('bind.bind')} ${name}`} onClick={() => bind(service)}>
                {t('bind.bind')}
              </Button>
            )}
          </PanelRow>
        );
      })}
      <Suspense>
        {opened === 'email' && <EmailDialog onClose={close} />}
        {opened === 'wechat' && <WechatDialog onClose={close} />}
        {opened === 'telegram' && <TelegramDialog onClose={close} />}
      </Suspense>
    </Panel>
  );
};
