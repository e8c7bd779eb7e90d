import { IconPlugConnected } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../lib/text/i18n.ts';

/** A link to the page Connect, for lists that are empty because no call was made yet. */
const ConnectLink = () => {
  const { t } = useTranslation();
  return (
    <Link to="/connect" className="button">
      <IconPlugConnected size={16} />
      {t('action.connect')}
    </Link>
  );
};

export default ConnectLink;
