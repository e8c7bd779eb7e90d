import { tryNow, useConnection } from '../lib/server/connection.ts';
import { useTranslation } from '../lib/text/i18n.ts';

/** A bar above every page while the network or the server is unreachable. */
export const ConnectionBar = () => {
  const { t } = useTranslation();
  const connection = useConnection();
  return (
    <div role="status" className="connection" data-state={connection}>
      {connection !== 'online' && (
        <>
          <span>{t(`connection.${connection}`)}</span>
          <button type="button" className="link" onClick={tryNow}>
            {t('connection.tryNow')}
          </button>
        </>
      )}
    </div>
  );
};
