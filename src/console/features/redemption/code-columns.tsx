import { useMemo } from 'react';
import type { Column } from '../../kit/resource-table/column.ts';
import { QuotaText } from '../../kit/texts/quota-text.tsx';
import { formatQuota } from '../../lib/text/format.ts';
import { useTranslation } from '../../lib/text/i18n.ts';
import { ExpiryCell, KeyCell, NameCell, StateCell, UsedCell } from './code-cells.tsx';
import type { Code } from './code.ts';

/** The columns of the list, made again only when the language changes. */
export const useCodeColumns = (): readonly Column<Code>[] => {
  const { t } = useTranslation('redemption');
  return useMemo(
    () => [
      {
        id: 'name',
        sortable: true,
        title: t('column.name'),
        card: 'title',
        cell: (code) => <NameCell code={code} />,
      },
      { id: 'state', title: t('column.state'), card: 'aside', cell: (code) => <StateCell code={code} /> },
      { id: 'key', title: t('column.key'), cell: (code) => <KeyCell code={code} /> },
      {
        id: 'quota',
        sortable: true,
        title: t('column.quota'),
        align: 'end',
        amount: (code) => formatQuota(code.quota),
        cell: (code) => <QuotaText units={code.quota} />,
      },
      {
        id: 'expires',
        sortable: true,
        title: t('column.expires'),
        from: 720,
        cell: (code) => <ExpiryCell code={code} />,
      },
      { id: 'used', sortable: true, title: t('column.used'), cell: (code) => <UsedCell code={code} /> },
    ],
    [t],
  );
};
