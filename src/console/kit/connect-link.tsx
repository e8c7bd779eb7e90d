import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';

/** A link to the page that sets programs up, for places that are empty because nothing was called yet. */
export const ConnectLink = () => {
  const { t } = useTranslation();
  return (
    <Link to="/connect" className="button">
      <IconPlugConnected size={16} />
      {t('action.connect')}
    </Link>
  );
};
