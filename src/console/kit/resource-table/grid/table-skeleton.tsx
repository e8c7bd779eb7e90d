import { useLasting } from '../../../lib/browser/use-lasting.ts';
import { useTranslation } from '../../../lib/text/i18n.ts';
import { Skeleton } from '../../states.tsx';

const PATIENCE_MS = 150;

/** A placeholder in the shape of the table, shown only if loading takes a while. */
export const TableSkeleton = ({
  columns,
  rows,
}: {
  readonly columns: readonly { readonly id: string }[];
  readonly rows: number;
}) => {
  const { t } = useTranslation();
  const isSlow = useLasting(PATIENCE_MS);
  return (
    <div className="table-frame table-waiting" style={{ minHeight: 38 + rows * 52 }}>
      <span className="hidden-visually" role="status">
        {t('table.loading')}
      </span>
      {isSlow &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className="skeleton-row" aria-hidden>
            {columns.map((column, at) => (
              <Skeleton key={column.id} width={at === 0 ? '60%' : '45%'} />
            ))}
          </div>
        ))}
    </div>
  );
};
