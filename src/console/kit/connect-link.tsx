import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';

/** What to do where nothing has been called yet: the way to the page that sets programs up. */
export const ConnectLink = () => {
  const { t } = useTranslation();
  return (
    <Link to="/connect" className="button">
      <IconPlugConnected size={16} />
      {t('action.connect')}
    </Link>
  );
};
