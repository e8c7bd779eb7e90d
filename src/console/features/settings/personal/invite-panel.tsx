import { Suspense, useState } from 'react';
import { late } from '../../../kit/late.tsx';
import { Button } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { formatQuota, formatQuotaExact } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Panel } from './panel.tsx';
import type { Self } from './use-self.ts';

const TransferDialog = late(() => import('./transfer-dialog.tsx'));

/** The invite code, its earnings, and their transfer to the balance. */
export const InvitePanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const [isOpen, setOpen] = useState(false);
  const link = `${location.origin}/register?aff=${self.aff_code}`;
  const figures = [
    ['invite.waiting', self.aff_quota],
    ['invite.earned', self.aff_history_quota],
  ] as const;
  return (
    <Panel
      title={t('invite.title')}
      about={t('invite.about')}
      foot={
        <Button variant="primary" disabled={self.aff_quota === 0} onClick={() => setOpen(true)}>
          {t('invite.transfer')}
        </Button>
      }
    >
      <dl className="personal-figures">
        {figures.map(([key, units]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd className="number" data-tip={formatQuotaExact(units)}>
              {formatQuota(units)}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('invite.people')}</dt>
          <dd className="number">{self.aff_count}</dd>
        </div>
      </dl>
      <p className="personal-copy">
        <span className="tone-muted">{t('invite.code')}</span>
        <Copy value={self.aff_code} mono />
      </p>
      <p className="personal-copy">
        <span className="tone-muted">{t('invite.link')}</span>
        <Copy value={link} mono />
      </p>
      <Suspense>{isOpen && <TransferDialog self={self} onClose={() => setOpen(false)} />}</Suspense>
    </Panel>
  );
};
