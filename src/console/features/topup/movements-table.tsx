import { journalKinds } from '#contract/codes.ts';
import { useMemo } from 'react';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { Chip } from '../../kit/status.tsx';
import { TimeText } from '../../kit/texts/time-text.tsx';
import { formatQuota, MISSING } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { loadMovements, MOVEMENTS, type Movement } from './wallet-calls.ts';

type Kind = (typeof journalKinds)[number] | 'other';

const kindOf = ({ kind }: Movement): Kind => journalKinds.find((known) => known === kind) ?? 'other';
const idOf = (movement: Movement): number => movement.id;
const nameOf = (movement: Movement): string => `#${movement.id}`;

/** Invite earnings are no quota yet. */
const changeOf = ({ quota, earned }: Movement): number => (quota === 0 ? earned : quota);

/** The change of the balance. Invite earnings are marked, because they are not part of the balance yet. */
const Change = ({ movement }: { readonly movement: Movement }) => {
  const { t } = useTranslation('topup');
  const units = changeOf(movement);
  const isEarning = movement.quota === 0 && units !== 0;
  const tone = units < 0 ? 'tone-bad' : 'tone-ok';
  return (
    <span className="wallet-change">
      <span className={isEarning ? 'tone-muted' : tone}>
        {units > 0 && '+'}
        <QuotaText units={units} />
      </span>
      {isEarning && <span className="meta">{t('history.earnings')}</span>}
    </span>
  );
};

/** Changes of the balance other than calls, with the balance after each. */
export const MovementsTable = () => {
  const { t } = useTranslation('topup');
  const columns = useMemo(
    (): readonly Column<Movement>[] => [
      {
        id: 'kind',
        title: t('history.kind'),
        card: 'title',
        cell: (movement) => <Chip>{t(`kind.${kindOf(movement)}`)}</Chip>,
      },
      {
        id: 'quota',
        title: t('history.quota'),
        align: 'end',
        amount: (movement) => formatQuota(changeOf(movement)),
        card: 'aside',
        cell: (movement) => <Change movement={movement} />,
      },
      {
        id: 'balance',
        title: t('history.balance'),
        align: 'end',
        amount: ({ balance }) => (balance === null ? '' : formatQuota(balance)),
        cell: ({ balance }) => (balance === null ? MISSING : <QuotaText units={balance} />),
      },
      {
        id: 'reason',
        from: 800,
        title: t('history.reason'),
        cell: ({ reason }) => (
          <span className="truncate wallet-reason" data-tip={reason}>
            {reason === '' ? MISSING : reason}
          </span>
        ),
      },
      {
        id: 'time',
        title: t('history.time'),
        cell: (movement) => <TimeText at={movement.created_time} exact />,
      },
    ],
    [t],
  );
  return (
    <section className="wallet-history">
      <h2>{t('history.title')}</h2>
      <ResourceTable
        name={MOVEMENTS}
        label={t('history.title')}
        columns={columns}
        rowId={idOf}
        rowName={nameOf}
        load={loadMovements}
        emptyText={t('history.empty')}
      />
    </section>
  );
};
