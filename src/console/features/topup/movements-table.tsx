import { useMemo } from 'react';
import { QuotaText } from '../../kit/quota-text.tsx';
import type { Column } from '../../kit/resource-table/column.ts';
import { ResourceTable } from '../../kit/resource-table/resource-table.tsx';
import { Chip } from '../../kit/status.tsx';
import { TimeText } from '../../kit/time-text.tsx';
import { MISSING } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { loadMovements, MOVEMENTS, type Movement } from './wallet-calls.ts';

const KINDS = ['redeem', 'topup', 'grant', 'invite', 'transfer', 'admin', 'correction'] as const;
type Kind = (typeof KINDS)[number] | 'other';

const kindOf = ({ kind }: Movement): Kind => KINDS.find((known) => known === kind) ?? 'other';
const idOf = (movement: Movement): number => movement.id;
const nameOf = (movement: Movement): string => `#${movement.id}`;

/** What came in and went out beside calls, with the balance after each. */
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
        card: 'aside',
        cell: (movement) => (
          <span className={movement.quota < 0 ? 'tone-bad' : 'tone-ok'}>
            {movement.quota > 0 && '+'}
            <QuotaText units={movement.quota} />
          </span>
        ),
      },
      {
        id: 'balance',
        title: t('history.balance'),
        align: 'end',
        cell: ({ balance }) => (balance === null ? MISSING : <QuotaText units={balance} />),
      },
      {
        id: 'reason',
        title: t('history.reason'),
        cell: ({ reason }) => (
          <span className="truncate" data-tip={reason}>
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
