import './table-late.css';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';

/** The actions for the selected rows, floating at the bottom of the window. */
const BatchBar = ({
  count,
  onClear,
  children,
}: {
  readonly count: number;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) => {
  const { t } = useTranslation();
  return (
    <div className="batch-bar" role="toolbar" aria-label={t('table.batch')}>
      <span className="batch-count number" role="status">
        {t('table.selected', { count })}
      </span>
      {children}
      <button
        type="button"
        className="batch-clear"
        aria-label={t('table.unselect')}
        data-tip={t('table.unselect')}
        onClick={onClear}
      >
        <IconX size={16} />
      </button>
    </div>
  );
};

export default BatchBar;
