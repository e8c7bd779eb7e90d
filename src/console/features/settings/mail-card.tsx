import { IconSend } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { isRoot } from '#contract/may.ts';
import { late } from '../../kit/late.tsx';
import { Button } from '../../kit/button.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSession } from '../../lib/session/session.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

const TestMailDialog = late(() => import('./test-mail-dialog.tsx'));

interface MailCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

/** The mail server, and a test mail. */
export const MailCard = ({ card, settings }: MailCardProps) => {
  const { t } = useTranslation('settings');
  const user = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <OptionCard
        card={card}
        settings={settings}
        actions={
          user !== undefined &&
          isRoot(user) && (
            <Button icon={<IconSend size={16} />} onClick={() => setOpen(true)}>
              {t('testMail.open')}
            </Button>
          )
        }
      />
      <Suspense>
        {isOpen && (
          <TestMailDialog isUnsaved={settings.changed(card.keys).length > 0} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  );
};
