import { useSignal } from '../lib/browser/signal.ts';
import { tryNow, useConnection } from '../lib/server/connection.ts';
import { readAgain, slowReads } from '../lib/server/slow-reads.ts';
import { useTranslation } from '../lib/text/i18n.ts';

/** A bar above every page while the network or the server is unreachable, or the page's data takes long. */
export const ConnectionBar = () => {
  const { t } = useTranslation();
  const connection = useConnection();
  const isSlow = useSignal(slowReads);
  const state = connection === 'online' && isSlow ? 'slow' : connection;
  return (
    <div role="status" className="connection" data-state={state}>
      {state !== 'online' && (
        <>
          <span>{t(`connection.${state}`)}</span>
          <button type="button" className="link" onClick={state === 'slow' ? () => void readAgain() : tryNow}>
            {t('connection.tryNow')}
          </button>
        </>
      )}
    </div>
  );
};
