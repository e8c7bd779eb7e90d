import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/text/i18n.ts';

/** Also shown inside the console, where the front's texts may not be loaded: the importer loads them. */
const NotFoundPage = () => {
  const { t } = useTranslation('front');
  return (
    <div className="state missing">
      <span className="state-icon">
        <IconMapQuestion size={24} stroke={1.6} />
      </span>
      <h1>{t('missing.title')}</h1>
      <p>{t('missing.text')}</p>
      <Link to="/" className="button">
        {t('missing.toHome')}
      </Link>
    </div>
  );
};

export default NotFoundPage;
