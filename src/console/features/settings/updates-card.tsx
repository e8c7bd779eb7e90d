import { useState } from 'react';
import { checkUpdate } from '#contract/api/site/contents.ts';
import type { Data } from '#contract/endpoint.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/states.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useAction } from '../../lib/server/query.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

interface UpdatesCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

/** Version and uptime, and whether there is a newer release. A check that fails says so in one line. */
export const UpdatesCard = ({ card, settings }: UpdatesCardProps) => {
  const { t } = useTranslation('settings');
  const status = useSiteStatus();
  const [release, setRelease] = useState<Data<typeof checkUpdate>>();
  const check = useAction<undefined, Data<typeof checkUpdate>>({
    run: () => call(checkUpdate),
    quiet: true,
  });
  return (
    <OptionCard
      card={card}
      settings={settings}
      actions={
        <Button busy={check.isPending} onClick={() => check.mutate(undefined, { onSuccess: setRelease })}>
          {t('updates.check')}
        </Button>
      }
    >
      <p className="meta">
        {t('updates.version', { version: status?.version ?? '' })} · {t('updates.started')}{' '}
        <TimeText at={status?.start_time ?? 0} />
      </p>
      {check.isError && <Notice tone="warn">{messageOf(check.error)}</Notice>}
      {release !== undefined && (
        <Notice tone="info">
          {release.is_newer ? t('updates.newer', { version: release.latest }) : t('updates.latest')}
          {release.is_newer && release.url !== '' && (
            <>
              {' '}
              <a href={release.url} target="_blank" rel="noreferrer">
                {t('updates.open')}
              </a>
            </>
          )}
        </Notice>
      )}
    </OptionCard>
  );
};
