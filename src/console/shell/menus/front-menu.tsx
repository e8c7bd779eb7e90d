import { IconMenu2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Menu } from '../../kit/overlays/menu.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';
import { useSiteStatus } from '../../lib/server/site-status.ts';
import { landingPath } from '../../routes.ts';

/** The links of the top bar, as a menu on phones. */
const FrontMenu = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isAvailabilityShown = useSiteStatus()?.availability_enabled === true;
  const link = (label: string, path: string) => ({ label, run: () => void navigate({ to: path }) });
  return (
    <Menu
      label={t('shell.menu')}
      tip={false}
      items={() => [
        link(t('shell.home'), '/'),
        link(t('shell.console'), landingPath('/detail')),
        link(t('shell.pricing'), '/pricing'),
        ...(isAvailabilityShown ? [link(t('shell.availability'), '/availability')] : []),
        link(t('shell.about'), '/about'),
      ]}
    >
      <IconMenu2 size={19} stroke={1.7} />
    </Menu>
  );
};

export default FrontMenu;
