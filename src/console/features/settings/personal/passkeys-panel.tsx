import { IconFingerprint } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { removePasskey } from '#contract/api/people/passkeys.ts';
import { late } from '../../../kit/late.tsx';
import { Button } from '../../../kit/button.tsx';
import { confirm } from '../../../kit/dialogs/dialogs.ts';
import { ErrorState, Notice, Skeleton } from '../../../kit/states.tsx';
import { call } from '../../../lib/server/api.ts';
import { formatRelative } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { passkeysWork } from '../../../lib/session/passkey-here.ts';
import { useAction } from '../../../lib/server/query.ts';
import { useSiteStatus } from '../../../lib/server/site-status.ts';
import { Panel, PanelRow } from './panel.tsx';
import { type Passkey, PASSKEYS, usePasskeys } from './use-passkeys.ts';

const PasskeyDialog = late(() => import('./passkey-dialog.tsx'));

/** The user's passkeys: made here, named, removed. */
export const PasskeysPanel = () => {
  const { t } = useTranslation('personal');
  const isOn = useSiteStatus()?.passkey_login === true;
  const [opened, setOpened] = useState<Passkey | 'new'>();
  const query = usePasskeys();
  const { data = [] } = query;
  const remove = useAction({
    run: (id: number) => call(removePasskey, { params: { id } }),
    done: t('passkeys.removed'),
    refresh: [PASSKEYS],
  });
  const ask = async ({ id, name }: Passkey): Promise<void> => {
    const agreed = await confirm({
      title: t('passkeys.askTitle', { name }),
      text: t('passkeys.askText'),
      action: t('passkeys.remove'),
      danger: true,
    });
    if (agreed) remove.mutate(id);
  };
  if (!isOn && data.length === 0) return null;
  const works = passkeysWork();
  return (
    <Panel
      title={t('passkeys.title')}
      about={t('passkeys.about')}
      foot={
        isOn && (
          <Button disabled={!works} onClick={() => setOpened('new')}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      {!isOn && <Notice tone="warn">{t('passkeys.off')}</Notice>}
      {isOn && !works && <Notice tone="info">{t('passkeys.needsName')}</Notice>}
      {data.map((passkey) => (
        <PanelRow
          key={passkey.id}
          icon={<IconFingerprint size={18} />}
          name={passkey.name}
          value={<PasskeyTimes passkey={passkey} />}
        >
          <Button
            size="small"
            aria-label={t('passkeys.renameOne', { name: passkey.name })}
            onClick={() => setOpened(passkey)}
          >
            {t('passkeys.rename')}
          </Button>
          <Button
            size="small"
            aria-label={t('passkeys.removeOne', { name: passkey.name })}
            onClick={() => void ask(passkey)}
          >
            {t('passkeys.remove')}
          </Button>
        </PanelRow>
      ))}
      {query.isPending && <Skeleton height={40} />}
      {query.isLoadingError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && data.length === 0 && works && <p className="personal-none">{t('passkeys.none')}</p>}
      <Suspense>
        {opened !== undefined && <PasskeyDialog passkey={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </Panel>
  );
};

const PasskeyTimes = ({
  passkey: { created_at: made, last_used_at: used },
}: {
  readonly passkey: Passkey;
}) => {
  const { t } = useTranslation('personal');
  const was = used === null ? t('passkeys.unused') : t('passkeys.used', { when: formatRelative(used) });
  return `${t('passkeys.made', { when: formatRelative(made) })} · ${was}`;
};
