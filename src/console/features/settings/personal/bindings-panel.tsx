import {
  IconBrandDiscord,
  IconBrandGithub,
  IconBrandTelegram,
  IconBrandWechat,
  IconKey,
  IconMail,
  IconUsersGroup,
} from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { unbindIdentity } from '#contract/api/oauth.ts';
import { Button } from '../../../kit/button.tsx';
import { confirm } from '../../../kit/dialogs.ts';
import { call } from '../../../lib/api.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { openIdentityService, type OauthService } from '../../../lib/oauth.ts';
import { useAction } from '../../../lib/query.ts';
import { useSiteStatus, type SiteStatus } from '../../../lib/site-status.ts';
import { Panel, PanelRow } from './panel.tsx';
import { SELF, type Self } from './use-self.ts';

const EmailDialog = lazy(() => import('./email-dialog.tsx'));
const WechatDialog = lazy(() => import('./wechat-dialog.tsx'));
const TelegramDialog = lazy(() => import('./telegram-dialog.tsx'));

const SIZE = 18;

interface Binding {
  readonly service: OauthService | 'wechat' | 'telegram';
  readonly name: string;
  readonly icon: ReactNode;
  readonly field: 'github_id' | 'linux_do_id' | 'wechat_id' | 'telegram_id' | 'discord_id' | 'oidc_id';
  readonly isOn: (status: SiteStatus) => boolean;
}

const bindings: readonly Binding[] = [
  {
    service: 'github',
    name: 'GitHub',
    icon: <IconBrandGithub size={SIZE} />,
    field: 'github_id',
    isOn: (status) => status.github_oauth,
  },
  {
    service: 'linuxdo',
    name: 'LinuxDO',
    icon: <IconUsersGroup size={SIZE} />,
    field: 'linux_do_id',
    isOn: (status) => status.linuxdo_oauth,
  },
  {
    service: 'wechat',
    name: 'WeChat',
    icon: <IconBrandWechat size={SIZE} />,
    field: 'wechat_id',
    isOn: (status) => status.wechat_login,
  },
  {
    service: 'telegram',
    name: 'Telegram',
    icon: <IconBrandTelegram size={SIZE} />,
    field: 'telegram_id',
    isOn: (status) => status.telegram_oauth,
  },
  {
    service: 'discord',
    name: 'Discord',
    icon: <IconBrandDiscord size={SIZE} />,
    field: 'discord_id',
    isOn: (status) => status.discord_enabled,
  },
  {
    service: 'oidc',
    name: 'OIDC',
    icon: <IconKey size={SIZE} />,
    field: 'oidc_id',
    isOn: (status) => status.oidc_enabled,
  },
];

type Opened = 'email' | 'wechat' | 'telegram' | undefined;

/** Who the user is elsewhere: each can be bound and unbound. */
export const BindingsPanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const status = useSiteStatus();
  const [opened, setOpened] = useState<Opened>();
  const unbind = useAction({
    run: (service: Binding['service']) => call(unbindIdentity, { params: { provider: service } }),
    done: t('bind.unbound'),
    refresh: [SELF],
  });
  const bind = (service: Binding['service']): void => {
    if (service === 'wechat' || service === 'telegram') setOpened(service);
    else void openIdentityService(service);
  };
  const ask = async ({ service, name }: Binding): Promise<void> => {
    const agreed = await confirm({
      title: t('bind.askTitle', { name }),
      text: t('bind.askText'),
      action: t('bind.unbind'),
      danger: true,
    });
    if (agreed) unbind.mutate(service);
  };
  const close = (): void => setOpened(undefined);
  return (
    <Panel title={t('bind.title')} about={t('bind.about')}>
      <PanelRow icon={<IconMail size={SIZE} />} name={t('bind.email')} value={self.email || t('bind.none')}>
        <Button size="small" aria-label={t('bind.emailDo')} onClick={() => setOpened('email')}>
          {t(self.email === '' ? 'bind.bind' : 'bind.change')}
        </Button>
      </PanelRow>
      {bindings.map((binding) => {
        const id = self[binding.field];
        const isOn = status !== undefined && binding.isOn(status);
        return (
          <PanelRow
            key={binding.service}
            icon={binding.icon}
            name={binding.name}
            value={id !== '' ? id : t(isOn ? 'bind.none' : 'bind.off')}
          >
            {id !== '' ? (
              <Button
                size="small"
                aria-label={`${t('bind.unbind')} ${binding.name}`}
                onClick={() => void ask(binding)}
              >
                {t('bind.unbind')}
              </Button>
            ) : (
              <Button
                size="small"
                disabled={!isOn}
                aria-label={`${t('bind.bind')} ${binding.name}`}
                onClick={() => bind(binding.service)}
              >
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
