import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownModels } from '#contract/api/people/session.ts';
import { Button } from '../../../kit/button.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { GroupChip } from '../../../kit/group-chip.tsx';
import { ErrorState, Skeleton } from '../../../kit/states.tsx';
import { Chip } from '../../../kit/status.tsx';
import { call } from '../../../lib/server/api.ts';
import { formatCount, formatQuota, formatQuotaExact } from '../../../lib/text/format.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Panel } from './panel.tsx';
import type { Self } from './use-self.ts';

/** Shown before "all". Source: specification, constants. */
const MODELS_SHOWN = 10;

const rankName = (role: number) => (role >= 100 ? 'root' : role >= 10 ? 'admin' : 'user');

/** The user's name, the remaining balance, and the models the user may call. */
export const BalancePanel = ({ self }: { readonly self: Self }) => {
  const { t } = useTranslation('personal');
  const [isWhole, setWhole] = useState(false);
  const query = useQuery({ queryKey: ['own-models'], queryFn: () => call(ownModels) });
  const models = query.data ?? [];
  const shown = isWhole ? models : models.slice(0, MODELS_SHOWN);
  const figures = [
    ['balance.left', formatQuota(self.quota), formatQuotaExact(self.quota)],
    ['balance.used', formatQuota(self.used_quota), formatQuotaExact(self.used_quota)],
    ['balance.calls', formatCount(self.request_count), String(self.request_count)],
  ] as const;
  return (
    <Panel title={self.display_name || self.username} about={`${self.username} · #${self.id}`} wide>
      <span className="chips personal-badges">
        <Chip tone="info">{t(`rank.${rankName(self.role)}`)}</Chip>
        <GroupChip name={self.group} tip={t('balance.group')} />
      </span>
      <dl className="personal-figures">
        {figures.map(([key, text, exact]) => (
          <div key={key}>
            <dt>{t(key)}</dt>
            <dd className="number" data-tip={exact}>
              {text}
            </dd>
          </div>
        ))}
      </dl>
      <h3>{t('balance.models', { count: query.isSuccess ? models.length : '—' })}</h3>
      {query.isPending && <Skeleton height={26} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && models.length === 0 ? (
        <p className="tone-muted">{t('balance.noModels')}</p>
      ) : (
        <ul className="personal-models">
          {shown.map((name) => (
            <li key={name}>
              <Copy value={name} mono />
            </li>
          ))}
        </ul>
      )}
      {models.length > MODELS_SHOWN && (
        <Button size="small" variant="plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('balance.fewer') : t('balance.all', { count: models.length })}
        </Button>
      )}
    </Panel>
  );
};
