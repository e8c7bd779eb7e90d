import './form-drawer.css';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from '../../lib/text/i18n.ts';
import { IconButton } from '../button.tsx';

interface DrawerHeadProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Focus starts at the title, because there is no field. */
  readonly isFirst?: boolean;
}

/** The head of a drawer or dialog: its title and the close button. */
export const DrawerHead = ({ title, onClose, isFirst = false }: DrawerHeadProps) => {
  const { t } = useTranslation();
  return (
    <div className="drawer-head">
      <h2 className="truncate" tabIndex={-1} data-autofocus={isFirst || undefined}>
        {title}
      </h2>
      <IconButton label={t('action.close')} onClick={onClose}>
        <IconX size={18} />
      </IconButton>
    </div>
  );
};
