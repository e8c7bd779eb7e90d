import { IconApi, IconLock, IconShieldLock, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { readSecondFactor } from '#contract/api/people/second-factor.ts';
import { makeAccessToken } from '#contract/api/people/session.ts';
import { late } from '../../../kit/late.tsx';
import { Button } from '../../../kit/button.tsx';
import { confirm } from '../../../kit/dialogs/dialogs.ts';
import { Copy } from '../../../kit/copy.tsx';
import { call } from '../../../lib/server/api.ts';
import { MISSING } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { useAction } from '../../../lib/server/query.ts';
import { isRoot } from '#contract/may.ts';
import { Panel, PanelRow } from './panel.tsx';
import type { Self } from './use-self.ts';

const PasswordDialog = late(() => import('./password-dialog.tsx'));
const FactorDialog = late(() => import('./factor-dialog.tsx'));
const DeleteDialog = late(() => import('./delete-dialog.tsx'));

type Opened = 'password' | 'factor' | 'delete' | undefined;
const SIZE = 18;

/** Password, two-step sign-in, access token, and deleting the account. */
export const SecurityPanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const [opened, setOpened] = useState<Opened>();
  const [token, setToken] = useState('');
  const factor = useQuery({
    queryKey: ['second-factor'],
    queryFn: () => call(readSecondFactor),
    meta: { isAside: true },
  }).data;
  const make = useAction({ run: () => call(makeAccessToken), done: t('token.done') });
  const askToken = async (): Promise<void> => {
    if (await confirm({ title: t('token.askTitle'), text: t('token.askText'), action: t('token.make') }))
      make.mutate(undefined, { onSuccess: setToken });
  };
  const close = (): void => setOpened(undefined);
  return (
    <Panel title={t('security.title')} about={t('security.about')}>
      <PanelRow icon={<IconLock size={SIZE} />} name={t('password.name')} value={t('password.value')}>
        <Button size="small" onClick={() => setOpened('password')}>
          {t(self.has_password ? 'password.change' : 'password.set')}
        </Button>
      </PanelRow>
      <PanelRow
        icon={<IconShieldLock size={SIZE} />}
        name={t('factor.name')}
        value={
          factor === undefined
            ? MISSING
            : factor.enabled
              ? t('factor.on', { count: factor.backup_codes_left })
              : t('factor.off')
        }
      >
        <Button size="small" disabled={factor === undefined} onClick={() => setOpened('factor')}>
          {t(factor?.enabled === true ? 'factor.manage' : 'factor.enable')}
        </Button>
      </PanelRow>
      <PanelRow
        icon={<IconApi size={SIZE} />}
        name={t('token.name')}
        value={token === '' ? t('token.value') : <Copy value={token} mono />}
      >
        <Button size="small" busy={make.isPending} onClick={() => void askToken()}>
          {t('token.make')}
        </Button>
      </PanelRow>
      {!isRoot(self) && (
        <PanelRow icon={<IconTrash size={SIZE} />} name={t('delete.name')} value={t('delete.value')}>
          <Button size="small" variant="danger" onClick={() => setOpened('delete')}>
            {t('delete.open')}
          </Button>
        </PanelRow>
      )}
      <Suspense>
        {opened === 'password' && <PasswordDialog self={self} onClose={close} />}
        {opened === 'factor' && <FactorDialog isOn={factor?.enabled === true} onClose={close} />}
        {opened === 'delete' && <DeleteDialog self={self} onClose={close} />}
      </Suspense>
    </Panel>
  );
};
