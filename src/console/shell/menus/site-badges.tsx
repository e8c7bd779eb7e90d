import { Chip } from '../../kit/status.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';

/** Badges for self-use mode and demo sites. */
export const SiteBadges = () => {
  const { t } = useTranslation();
  const status = useSiteStatus();
  return (
    <>
      {status?.self_use_mode_enabled === true && <Chip tone="info">{t('shell.selfUse')}</Chip>}
      {status?.demo_site_enabled === true && <Chip tone="warn">{t('shell.demo')}</Chip>}
    </>
  );
};
