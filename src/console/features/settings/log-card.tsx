import { IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { useTranslation, withTexts } from '../../lib/text/i18n.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

const ClearLogsDialog = late(withTexts('log-more', () => import('../../shared/clear-logs-dialog.tsx')));

interface LogCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

/** Log settings, and deleting old logs. */
export const LogCard = ({ card, settings }: LogCardProps) => {
  const { t } = useTranslation('settings');
  const [isClearing, setClearing] = useState(false);
  return (
    <>
      <OptionCard
        card={card}
        settings={settings}
        actions={
          <Button icon={<IconTrash size={16} />} onClick={() => setClearing(true)}>
            {t('clearLogs')}
          </Button>
        }
      />
      <Suspense>
        {isClearing && <ClearLogsDialog refresh={['logs']} onClose={() => setClearing(false)} />}
      </Suspense>
    </>
  );
};
